import { keepSessionsAhead } from '@service/webinars';
import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWorld,
  inMinutes,
  scheduleAt,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { countRows, register } from './registrations.ts';

const dayMs = 86_400_000;
/** Half a day from now, so that no test runs while a session of it begins. */
const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
const daily = { frequency: 'daily', time: `${hour}:00`, startDate: '2026-01-01' };

const codeOf = ({ status, json }: Awaited<ReturnType<typeof callRest>>) => [status, json?.code];

/** A published webinar with a schedule, in a workspace of its own. */
async function publish(service: TestApi, schedule: object, fields: object = {}) {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const body = { title: 'Launch', schedule, ...fields };
  const { id } = (await callRest(service, 'POST /webinars', { key, body })).json.data;
  const published = await callRest(service, `POST /webinars/${id}/publish`, { key });
  expect(published.status).toBe(200);
  return { key, accountId, webinar: { id, sessionTime: published.json.data.nextSession?.startsAt } };
}

type World = Awaited<ReturnType<typeof publish>>;

const listSessions = async (service: TestApi, { key, webinar }: World, query = 'limit=100') =>
  (await callRest(service, `GET /webinars/${webinar.id}/sessions?${query}`, { key })).json.data as {
    id: string;
    startsAt: string;
    endsAt: string;
    status: string;
    registrationCount: number;
  }[];

const startsOf = async (service: TestApi, world: World): Promise<string[]> =>
  (await listSessions(service, world)).map((session) => session.startsAt).toSorted();

const change = (service: TestApi, { key, webinar }: World, body: object) =>
  callRest(service, `PATCH /webinars/${webinar.id}`, { key, body });

test('publishing makes the sessions of 60 days, twenty at most, and the next one however far it is', async () => {
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

test('sessions follow a changed schedule, but for those that somebody is registered for', async () => {
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
  // What is kept for its registrants takes more of them; what was cancelled does not.
  expect((await register(service, at(second), { email: 'bob@example.com' })).status).toBe(201);
  expect((await register(service, at(third), { email: 'bob@example.com' })).status).toBe(422);

  await change(service, world, { schedule: { recurrences: [daily] } });
  const back = await listSessions(service, world);
  expect(back.find(({ id }) => id === third!.id)!.status).toBe('scheduled');
  expect(back).toHaveLength(20);
});

test('a schedule that changes while somebody is on the way into a session leaves them that session', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily] });
  const { pool } = service.db.database;
  const waiting = async (): Promise<number> => {
    const { rows } = await pool.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].count;
  };

  // The registration has its session and cannot be written yet.
  const blocker = await pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table webinars.registration in share mode');
  const registering = register(service, world);
  await eventually('the registration to wait', async () => (await waiting()) === 1);
  let isChanged = false;
  const changing = change(service, world, { schedule: { recurrences: [{ ...daily, time: `${hour}:30` }] } });
  void changing.then(() => (isChanged = true));
  await eventually('the change to wait or to be made', async () => isChanged || (await waiting()) === 2);
  await blocker.query('rollback');
  blocker.release();

  expect((await changing).status).toBe(200);
  const { json } = await registering;
  const kept = (await listSessions(service, world)).find(({ id }) => id === json.data.sessionId);
  expect(kept).toMatchObject({ status: 'scheduled', registrationCount: 1 });
});

test('the hourly job makes what has come into sight, for published webinars only, and nothing twice', async () => {
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

test('the hourly job reaches every webinar of every workspace, however many batches that takes', async () => {
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

test('an API-controlled session moves by calls only, and each status refuses what does not fit it', async () => {
  await using service = await testApi();
  const world = await publish(service, scheduleAt(inMinutes(60)), { durationSeconds: 600 });
  const { key, webinar } = world;
  const sessionTime = inMinutes(5);
  const made = await callRest(service, `POST /webinars/${webinar.id}/sessions`, {
    key,
    body: { startsAt: sessionTime, control: 'api' },
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${webinar.id}/sessions/${made.json.data.id}`);
  expect(made.json.data).toMatchObject({
    kind: 'scheduled',
    control: 'api',
    status: 'scheduled',
    startsAt: sessionTime,
    recurrenceKey: null,
    positionSeconds: 0,
    registrationCount: 0,
  });
  await register(service, world, { sessionTime });

  const at = `/webinars/${webinar.id}/sessions/${made.json.data.id}`;
  const move = (body: object) => callRest(service, `POST ${at}/progress`, { key, body });
  const reset = () => callRest(service, `POST ${at}/reset`, { key });
  const conflict = [409, 'session_state_conflict'];

  for (const body of [{ action: 'seek', positionSeconds: 1 }, { action: 'end' }]) {
    const refused = await move(body);
    expect(codeOf(refused)).toEqual(conflict);
    expect(refused.json.details).toEqual({ status: 'scheduled' });
  }
  expect((await move({ action: 'start' })).json.data).toMatchObject({
    status: 'live',
    actualStartedAt: expect.any(String),
  });
  expect(codeOf(await move({ action: 'start' }))).toEqual(conflict);
  expect(codeOf(await register(service, world, { sessionTime, email: 'late@example.com' }))).toEqual([
    422,
    'session_time_unavailable',
  ]);
  expect((await move({ action: 'seek', positionSeconds: 600 })).json.data.positionSeconds).toBe(600);
  expect((await move({ action: 'seek', positionSeconds: 601 })).status).toBe(422);
  expect((await move({ action: 'seek' })).json.issues).toMatchObject([{ path: 'positionSeconds' }]);
  expect((await move({ action: 'end', positionSeconds: 3 })).json.issues).toMatchObject([
    { path: 'positionSeconds' },
  ]);
  const segmentId = '0193e3a0-0000-7000-8000-000000000000';
  expect(codeOf(await move({ action: 'advance', segmentId }))).toEqual([409, 'session_has_no_segments']);
  expect((await move({ action: 'end' })).json.data).toMatchObject({
    status: 'ended',
    positionSeconds: 600,
    actualEndedAt: expect.any(String),
  });
  for (const body of [{ action: 'start' }, { action: 'seek', positionSeconds: 1 }, { action: 'end' }])
    expect(codeOf(await move(body))).toEqual(conflict);
  const { json } = await reset();
  expect(json.data).toEqual({ ...made.json.data, registrationCount: 1 });
  expect((await register(service, world, { sessionTime, email: 'late@example.com' })).status).toBe(201);
});

test('of two starts at once one happens', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/sessions`, {
    key,
    body: { startsAt: inMinutes(5), control: 'api' },
  });
  const path = `POST /webinars/${webinar.id}/sessions/${json.data.id}/progress`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => callRest(service, path, { key, body: { action: 'start' } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a session of the clock is not moved, a time is used once, and no session starts in the past', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}/sessions`;
  const [session] = (await callRest(service, `GET ${at}`, { key })).json.data;
  for (const [verb, body] of [['reset'], ['progress', { action: 'start' }]] as const) {
    expect(codeOf(await callRest(service, `POST ${at}/${session.id}/${verb}`, { key, body }))).toEqual([
      409,
      'session_not_api_controlled',
    ]);
  }
  const make = (startsAt: string) =>
    callRest(service, `POST ${at}`, { key, body: { startsAt, control: 'api' } });
  expect(codeOf(await make(webinar.sessionTime))).toEqual([409, 'session_exists']);
  expect((await make(inMinutes(-5))).json.issues).toMatchObject([{ path: 'startsAt' }]);
  const clock = { startsAt: inMinutes(5), control: 'clock' };
  expect((await callRest(service, `POST ${at}`, { key, body: clock })).status).toBe(422);
});

test('a session of the clock is live and ends by the clock, and one of the API waits for its call', async () => {
  await using service = await testApi();
  const world = await publish(service, scheduleAt(inMinutes(60)));
  const { key, webinar } = world;
  for (const minutes of [1, 2, 3]) {
    await callRest(service, `POST /webinars/${webinar.id}/sessions`, {
      key,
      body: { startsAt: inMinutes(minutes), control: 'api' },
    });
  }
  // As if they had been planned for that long ago; the third is still controlled by the API.
  const [third, second, first] = await listSessions(service, world);
  const { pool } = service.db.database;
  const move = (session: typeof first, minutesAgo: number, control: string) =>
    pool.query(
      `update webinars.session set control = $3,
         starts_at = now() - make_interval(mins => $2), ends_at = now() - make_interval(mins => $2) + interval '1 hour'
       where id = $1`,
      [session!.id, minutesAgo, control],
    );
  await move(first, 90, 'clock');
  await move(second, 10, 'clock');
  await move(third, 20, 'api');

  const idsOf = async (query: string) => (await listSessions(service, world, query)).map(({ id }) => id);
  expect(await idsOf('status=ended')).toEqual([first!.id]);
  expect(await idsOf('status=live')).toEqual([second!.id]);
  expect(await idsOf('status=scheduled')).toEqual([third!.id, expect.any(String)]);
  const shown = await callRest(service, `GET /webinars/${webinar.id}/sessions/${second!.id}`, { key });
  expect(shown.json.data.status).toBe('live');
  expect(shown.json.data.positionSeconds).toBeGreaterThanOrEqual(600);
  expect(shown.json.data.positionSeconds).toBeLessThan(3600);
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
