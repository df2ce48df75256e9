import { keepSessionsAhead } from '@service/webinars';
import { expect } from 'vitest';
import { countRows, register } from '../attendees/registrations.ts';
import { codeOf } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { test } from '../support/service-test.ts';
import { daily, hour, listSessions, publish, type World } from './session-world.ts';

const dayMs = 86_400_000;
const halfPast = { schedule: { recurrences: [{ ...daily, time: `${hour}:30` }] } };

const startsOf = async (world: World): Promise<string[]> =>
  (await listSessions(world)).map((session) => session.startsAt).toSorted();

test('publishing makes the sessions of 60 days, at most twenty, and always the next one', async ({
  service,
}) => {
  const starts = await startsOf(await publish(service, { recurrences: [daily] }));
  expect(starts).toHaveLength(20);
  expect(new Set(starts.map((start) => start.slice(11)))).toEqual(new Set([`${hour}:00:00.000Z`]));
  expect(Date.parse(starts[19]!) - Date.parse(starts[0]!)).toBe(19 * dayMs);

  const weekly = { frequency: 'weekly', time: '12:00', startDate: '2026-01-01' };
  expect((await startsOf(await publish(service, { recurrences: [weekly] }))).length).toBeOneOf([8, 9]);
  const far = { frequency: 'daily', time: '12:00', startDate: '2090-01-01' };
  expect(await startsOf(await publish(service, { recurrences: [far] }))).toEqual([
    '2090-01-01T12:00:00.000Z',
  ]);
});

test('sessions follow a changed schedule, except those with registrations', async ({ service }) => {
  const world = await publish(service, { recurrences: [daily] });
  const before = await listSessions(world);
  const [, second, third] = before.toReversed();
  await register(world, { sessionTime: second!.startsAt });
  const { json } = await register(world, { sessionTime: third!.startsAt });
  await world.create(`/registrations/${json.data.id}/cancel`);

  await world.call('PATCH ', { durationSeconds: 1800 });
  const shorter = await listSessions(world);
  expect(shorter.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const long = shorter.filter(
    ({ startsAt, endsAt }) => Date.parse(endsAt) - Date.parse(startsAt) === 3_600_000,
  );
  expect(long.map(({ id }) => id)).toEqual([second!.id]);

  await world.call('PATCH ', halfPast);
  const after = await listSessions(world);
  expect(after).toHaveLength(22);
  const old = after.filter(({ startsAt }) => startsAt.endsWith(`${hour}:00:00.000Z`));
  expect(old.map(({ id, status, registrationCount }) => [id, status, registrationCount])).toEqual([
    [third!.id, 'cancelled', 0],
    [second!.id, 'scheduled', 1],
  ]);
  // A session kept for its registrations takes more of them, a cancelled one does not.
  const bookBob = ({ startsAt }: typeof second & object) =>
    register(world, { sessionTime: startsAt, email: 'bob@example.com' });
  expect([(await bookBob(second!)).status, (await bookBob(third!)).status]).toEqual([201, 422]);

  await world.call('PATCH ', { schedule: { recurrences: [daily] } });
  const back = await listSessions(world);
  expect(back.find(({ id }) => id === third!.id)!.status).toBe('scheduled');
  expect(back).toHaveLength(20);
});

test.for([
  ['a schedule change', 'PATCH ', halfPast, 'scheduled'],
  ['cancelling the session', 'POST /sessions/ID/cancel', undefined, 'cancelled'],
] as const)('%s waits for a booking in progress', async ([, route, body, status], { service }) => {
  const world = await publish(service, { recurrences: [daily] });
  const { pool } = service.db.database;
  const { id } = (await listSessions(world)).find(({ startsAt }) => startsAt === world.webinar.sessionTime)!;
  // The registration has its session and cannot be written yet.
  await using lock = await lockRows(pool, 'lock table attendees.registration in share mode', []);
  const registering = register(world);
  await eventually('the registration to wait', async () => (await countWaiting(pool)) === 1);
  let isAnswered = false;
  const changing = world.call(route.replace('ID', id), body).finally(() => (isAnswered = true));
  await eventually('the call to wait', async () => isAnswered || (await countWaiting(pool)) === 2);
  await lock.release();
  expect((await changing).status).toBe(200);
  expect((await registering).json.data.sessionId).toBe(id);
  expect((await listSessions(world)).find((one) => one.id === id)).toMatchObject({
    status,
    registrationCount: 1,
  });
});

test('the hourly job makes sessions of the next 60 days for published webinars of every workspace, each once', async ({
  service,
}) => {
  const { database } = service.db;
  const later = new Date(Date.now() + 5 * dayMs);
  await keepSessionsAhead(database, later);
  const world = await publish(service, { recurrences: [daily] });
  await world.rest('POST /webinars', { title: 'Draft', schedule: { recurrences: [daily] } });
  expect(await keepSessionsAhead(database, new Date())).toBe(0);
  expect(await keepSessionsAhead(database, later)).toBe(5);
  expect(await keepSessionsAhead(database, later)).toBe(0);
  expect(await countRows(service, world, 'webinars.session')).toBe(25);
  // More than two batches.
  await database.pool.query(
    `insert into webinars.webinar
     select (jsonb_populate_record(w, jsonb_build_object(
       'id', gen_random_uuid(), 'account_id', gen_random_uuid(), 'slug', 'copy-' || n))).*
     from webinars.webinar w, generate_series(1, 230) n where w.id = $1`,
    [world.webinar.id],
  );
  expect(await keepSessionsAhead(database, new Date())).toBe(230 * 20);
});

test('sessions are listed by kind and time, page after page', async ({ service }) => {
  const world = await publish(service, { recurrences: [daily], onDemand: true });
  const starts = await startsOf(world);
  expect((await register(world, { sessionTime: undefined })).status).toBe(201);
  expect(await listSessions(world, 'kind=on_demand')).toHaveLength(1);
  expect(await listSessions(world, 'kind=scheduled&limit=100')).toHaveLength(20);
  const range = `from=${starts[2]}&to=${starts[5]}`;
  const inRange = await listSessions(world, range);
  expect(inRange.map(({ startsAt }) => startsAt).toSorted()).toEqual(starts.slice(2, 5));
  const first = (await world.call(`GET /sessions?${range}&limit=2`)).json;
  const rest = await listSessions(world, `${range}&limit=2&cursor=${first.pagination.nextCursor}`);
  expect([...first.data, ...rest]).toEqual(inRange);
  const none = await world.call('GET /sessions/0193e3a0-0000-7000-8000-000000000000');
  expect(codeOf(none)).toEqual([404, 'session_not_found']);
});
