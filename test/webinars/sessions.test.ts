import { keepSessionsAhead } from '@service/webinars';
import { expect, test } from 'vitest';
import { callRest, codeOf, testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { countRows, register } from '../attendees/registrations.ts';
import { daily, hour, listSessions, publish, type World } from './session-world.ts';

const dayMs = 86_400_000;

const startsOf = async (service: TestApi, world: World): Promise<string[]> =>
  (await listSessions(service, world)).map((session) => session.startsAt).toSorted();

const change = (service: TestApi, { key, webinar }: World, body: object) =>
  callRest(service, `PATCH /webinars/${webinar.id}`, { key, body });

test('publishing makes the sessions of 60 days, at most twenty, and always the next one', async () => {
  await using service = await testApi();
  const often = await publish(service, { recurrences: [daily] });
  const starts = await startsOf(service, often);
  expect(starts).toHaveLength(20);
  expect(new Set(starts.map((start) => start.slice(11)))).toEqual(new Set([`${hour}:00:00.000Z`]));
  expect(Date.parse(starts[19]!) - Date.parse(starts[0]!)).toBe(19 * dayMs);

  const rarely = await publish(service, {
    recurrences: [{ frequency: 'weekly', time: '12:00', startDate: '2026-01-01' }],
  });
  expect((await startsOf(service, rarely)).length).toBeOneOf([8, 9]);

  const far = { frequency: 'daily', time: '12:00', startDate: '2090-01-01' };
  expect(await startsOf(service, await publish(service, { recurrences: [far] }))).toEqual([
    '2090-01-01T12:00:00.000Z',
  ]);
});

test('sessions follow a changed schedule, except those with registrations', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily] });
  const before = await listSessions(service, world);
  const [first, second, third] = before.toReversed();
  const at = (session: typeof first) => ({
    ...world,
    webinar: { ...world.webinar, sessionTime: session!.startsAt },
  });
  await register(service, at(second));
  const { json } = await register(service, at(third));
  await callRest(service, `POST /webinars/${world.webinar.id}/registrations/${json.data.id}/cancel`, world);

  await change(service, world, { durationSeconds: 1800 });
  const shorter = await listSessions(service, world);
  expect(shorter.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const lengthOf = ({ startsAt, endsAt }: typeof first & object) => Date.parse(endsAt) - Date.parse(startsAt);
  expect(shorter.filter((session) => lengthOf(session) === 3_600_000).map(({ id }) => id)).toEqual([
    second!.id,
  ]);

  await change(service, world, { schedule: { recurrences: [{ ...daily, time: `${hour}:30` }] } });
  const after = await listSessions(service, world);
  expect(after).toHaveLength(22);
  const old = after.filter(({ startsAt }) => startsAt.endsWith(`${hour}:00:00.000Z`));
  expect(old.map(({ id, status, registrationCount }) => [id, status, registrationCount])).toEqual([
    [third!.id, 'cancelled', 0],
    [second!.id, 'scheduled', 1],
  ]);
  // A session kept for its registrations takes more of them, a cancelled one does not.
  expect((await register(service, at(second), { email: 'bob@example.com' })).status).toBe(201);
  expect((await register(service, at(third), { email: 'bob@example.com' })).status).toBe(422);

  await change(service, world, { schedule: { recurrences: [daily] } });
  const back = await listSessions(service, world);
  expect(back.find(({ id }) => id === third!.id)!.status).toBe('scheduled');
  expect(back).toHaveLength(20);
});

test('a schedule change waits for a booking in progress and keeps its session', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily] });
  const { pool } = service.db.database;
  // The registration has its session and cannot be written yet.
  await using lock = await lockRows(pool, 'lock table attendees.registration in share mode', []);
  const registering = register(service, world);
  await eventually('the registration to wait', async () => (await countWaiting(pool)) === 1);
  let isChanged = false;
  const changing = change(service, world, { schedule: { recurrences: [{ ...daily, time: `${hour}:30` }] } });
  void changing.then(() => (isChanged = true));
  await eventually(
    'the change to wait or to be made',
    async () => isChanged || (await countWaiting(pool)) === 2,
  );
  await lock.release();

  expect((await changing).status).toBe(200);
  const { json } = await registering;
  const kept = (await listSessions(service, world)).find(({ id }) => id === json.data.sessionId);
  expect(kept).toMatchObject({ status: 'scheduled', registrationCount: 1 });
});

test('the hourly job makes sessions of the next 60 days for published webinars, each once', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily] });
  const draft = { title: 'Draft', schedule: { recurrences: [daily] } };
  await callRest(service, 'POST /webinars', { key: world.key, body: draft });
  const { database } = service.db;
  expect(await keepSessionsAhead(database, new Date())).toBe(0);
  const later = new Date(Date.now() + 5 * dayMs);
  expect(await keepSessionsAhead(database, later)).toBe(5);
  expect(await keepSessionsAhead(database, later)).toBe(0);
  expect(await countRows(service, 'webinars.session')).toBe(25);
});

test('the hourly job reaches every webinar of every workspace, over several batches', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily] });
  await service.db.database.pool.query(
    `insert into webinars.webinar
     select (jsonb_populate_record(w, jsonb_build_object(
       'id', gen_random_uuid(), 'account_id', gen_random_uuid(), 'slug', 'copy-' || n))).*
     from webinars.webinar w, generate_series(1, 230) n where w.id = $1`,
    [world.webinar.id],
  );
  expect(await keepSessionsAhead(service.db.database, new Date())).toBe(230 * 20);
});

test('sessions are listed by kind and time, page after page', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily], onDemand: true });
  const starts = await startsOf(service, world);
  expect((await register(service, world, { sessionTime: undefined })).status).toBe(201);
  expect(await listSessions(service, world, 'kind=on_demand')).toHaveLength(1);
  expect(await listSessions(service, world, 'kind=scheduled&limit=100')).toHaveLength(20);
  const range = `from=${starts[2]}&to=${starts[5]}`;
  const inRange = await listSessions(service, world, range);
  expect(inRange.map(({ startsAt }) => startsAt).toSorted()).toEqual(starts.slice(2, 5));

  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const path = `/webinars/${world.webinar.id}/sessions?${range}&limit=2${cursor}`;
    const { json } = await callRest(service, `GET ${path}`, world);
    seen.push(...json.data.map((session: { id: string }) => session.id));
    if (!json.pagination.hasMore) break;
    cursor = `&cursor=${json.pagination.nextCursor}`;
  }
  expect(seen).toEqual(inRange.map(({ id }) => id));
  const absent = '0193e3a0-0000-7000-8000-000000000000';
  const none = await callRest(service, `GET /webinars/${world.webinar.id}/sessions/${absent}`, world);
  expect(codeOf(none)).toEqual([404, 'session_not_found']);
});
