import { expect, test } from 'vitest';
import { callRest, codeOf, createTestKey, createTestWorld, inMinutes, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { createClockWorld, once, plus } from '../attendees/clock-world.ts';
import { register } from '../attendees/registrations.ts';

const noon = '2027-04-01T12:00:00.000Z';
const before = '2027-04-01T08:00:00Z';

test('over REST, moving and cancelling need the scope sessions:write, and the new start must be free and in the future', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { key, webinar } = world;
  const at = `/webinars/${webinar.id}/sessions`;
  const [session] = (await callRest(service, `GET ${at}`, { key })).json.data;
  await register(service, world);
  const move = (startsAt: string, withKey = key) =>
    callRest(service, `PATCH ${at}/${session.id}`, { key: withKey, body: { startsAt } });

  const [taken, startsAt] = [inMinutes(90), inMinutes(120)];
  await callRest(service, `POST ${at}`, { key, body: { startsAt: taken, control: 'api' } });
  expect(codeOf(await move(taken))).toEqual([409, 'session_exists']);
  expect((await move(inMinutes(-5))).json.issues).toMatchObject([{ path: 'startsAt' }]);
  expect((await callRest(service, `PATCH ${at}/${session.id}`, { key, body: {} })).status).toBe(422);
  const reader = await createTestKey(service, world.accountId, { scopes: ['sessions:read'] });
  expect((await move(startsAt, reader.key)).status).toBe(401);
  expect((await callRest(service, `POST ${at}/${session.id}/cancel`, { key: reader.key })).status).toBe(401);

  expect((await move(startsAt)).json.data).toMatchObject({ startsAt, registrationCount: 1 });
  const cancelled = await callRest(service, `POST ${at}/${session.id}/cancel`, { key });
  expect([cancelled.status, cancelled.json.data.status]).toEqual([200, 'cancelled']);
  expect(codeOf(await move(inMinutes(180)))).toEqual([409, 'session_state_conflict']);
  const absent = '0193e3a0-0000-7000-8000-000000000000';
  expect(codeOf(await callRest(service, `POST ${at}/${absent}/cancel`, { key }))).toEqual([
    404,
    'session_not_found',
  ]);
});

test('a started session is not moved and an ended one not cancelled, whether or not the clock ran', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(noon) });
  const [session] = (await world.at(before).sessions.list({ webinarId })).data;
  const where = { webinarId, sessionId: session!.id };
  const refusals = async () => {
    const startsAt = '2027-05-01T12:00:00Z';
    await expect(world.at(noon).sessions.update({ ...where, startsAt })).rejects.toMatchObject({
      cause: { code: 'session_state_conflict', details: { status: 'live', kind: 'scheduled' } },
    });
    await expect(world.at(plus(noon, 3600)).sessions.cancel(where)).rejects.toMatchObject({
      cause: { code: 'session_state_conflict', details: { status: 'ended' } },
    });
  };
  await refusals();
  await world.tick(noon);
  await refusals();
});

test('only sessions of kind scheduled can be moved', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: { justInTime: { intervalMinutes: 30 } } });
  const { sessionId } = await world.register(before, { webinarId, sessionTime: '2027-04-01T08:30:00Z' });
  const startsAt = '2027-05-01T12:00:00Z';
  await expect(world.at(before).sessions.update({ webinarId, sessionId, startsAt })).rejects.toMatchObject({
    cause: { code: 'session_state_conflict', details: { kind: 'just_in_time' } },
  });
});

test('cancelling a session waits for a booking in progress', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { key, webinar } = world;
  const [session] = (await callRest(service, `GET /webinars/${webinar.id}/sessions`, { key })).json.data;
  const { pool } = service.db.database;
  // The registration has its session and cannot be written yet.
  await using lock = await lockRows(pool, 'lock table attendees.registration in share mode', []);
  const registering = register(service, world);
  await eventually('the registration to wait', async () => (await countWaiting(pool)) === 1);
  let isCancelled = false;
  const path = `POST /webinars/${webinar.id}/sessions/${session.id}/cancel`;
  const cancelling = callRest(service, path, { key }).finally(() => (isCancelled = true));
  await eventually(
    'the call to wait or to be answered',
    async () => isCancelled || (await countWaiting(pool)) === 2,
  );
  await lock.release();
  expect((await registering).status).toBe(201);
  expect((await cancelling).json.data).toMatchObject({ status: 'cancelled', registrationCount: 1 });
});
