import { expect } from 'vitest';
import { createClockWorld, once, plus } from '../attendees/clock-world.ts';
import { register } from '../attendees/registrations.ts';
import { codeOf, inMinutes } from '../support/api.ts';
import { test } from '../support/service-test.ts';

const noon = '2027-04-01T12:00:00.000Z';
const before = '2027-04-01T08:00:00Z';

test('over REST a session is moved to a start that is free and in the future, and cancelled', async ({
  world,
}) => {
  const { call } = world;
  const [session] = (await call('GET /sessions')).json.data;
  await register(world);
  const at = `/sessions/${session.id}`;
  const move = (startsAt?: string) => call(`PATCH ${at}`, { startsAt });
  const [taken, startsAt] = [inMinutes(90), inMinutes(120)];
  await call('POST /sessions', { startsAt: taken, control: 'api' });
  expect(codeOf(await move(taken))).toEqual([409, 'session_exists']);
  expect((await move(inMinutes(-5))).json.issues).toMatchObject([{ path: 'startsAt' }]);
  expect((await move()).status).toBe(422);
  expect((await move(startsAt)).json.data).toMatchObject({ startsAt, registrationCount: 1 });
  const cancelled = await call(`POST ${at}/cancel`);
  expect([cancelled.status, cancelled.json.data.status]).toEqual([200, 'cancelled']);
  expect(codeOf(await move(inMinutes(180)))).toEqual([409, 'session_state_conflict']);
  const absent = '/sessions/0193e3a0-0000-7000-8000-000000000000';
  expect(codeOf(await call(`POST ${absent}/cancel`))).toEqual([404, 'session_not_found']);
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
