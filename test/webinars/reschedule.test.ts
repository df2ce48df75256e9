import { keepSessionsAhead } from '@service/webinars';
import { expect, test } from 'vitest';
import { createClockWorld, nothing, once, plus, type ClockWorld } from '../attendees/clock-world.ts';

const before = '2027-04-01T08:00:00Z';
const noon = '2027-04-01T12:00:00.000Z';
const noonAfter = '2027-04-02T12:00:00.000Z';
const three = '2027-04-01T15:00:00.000Z';
const daily = { recurrences: [{ frequency: 'daily', startDate: '2027-01-01', time: '12:00' } as const] };

/** A daily webinar at noon, and its first session. */
async function publishDaily(world: ClockWorld) {
  const webinarId = await world.publish(before, { schedule: daily });
  const sessionId = (await sessionsOf(world, webinarId)).find((one) => one.startsAt === noon)!.id;
  return { webinarId, sessionId };
}

const sessionsOf = async (world: ClockWorld, webinarId: string) =>
  (await world.at(before).sessions.list({ webinarId, limit: 100 })).data;

const slotsOf = async (world: ClockWorld, webinarId: string) =>
  (await world.at(before).sessions.slots({ webinarId, limit: 3 })).data.map(({ startsAt }) => startsAt);

/** Runs everything that makes sessions from a schedule. */
async function makeSessions(world: ClockWorld, webinarId: string): Promise<void> {
  await world
    .at(before)
    .webinars.update({ webinarId, schedule: { ...daily, blackoutDates: ['2027-12-24'] } });
  await world.at(before).webinars.update({ webinarId, durationSeconds: 1200 });
  await keepSessionsAhead(world.database, new Date(before));
}

test('a moved session keeps its registrations and duration, and starts at its new time', async () => {
  await using world = await createClockWorld();
  const where = await publishDaily(world);
  const { webinarId } = where;
  const { id } = await world.register(before, { webinarId, sessionTime: noon });
  const { data } = await world.at(before).sessions.update({ ...where, startsAt: three });
  expect(data).toMatchObject({
    id: where.sessionId,
    startsAt: three,
    endsAt: plus(three, 3600),
    status: 'scheduled',
    recurrenceKey: null,
    registrationCount: 1,
  });
  const registration = await world.at(before).registrations.get({ webinarId, registrationId: id });
  expect(registration.data.sessionTime).toBe(three);
  const again = await world.register(before, { webinarId, sessionTime: three });
  expect(again.id).toBe(id);
  expect(await world.tick(noon)).toEqual(nothing);
  expect(await world.tick(three)).toEqual({ ...nothing, started: 1 });
});

test('the old start of a moved session is not offered again, also after schedule changes', async () => {
  await using world = await createClockWorld();
  const where = await publishDaily(world);
  const { webinarId } = where;
  await world.at(before).sessions.update({ ...where, startsAt: three });
  const check = async () => {
    const sessions = await sessionsOf(world, webinarId);
    const at = (start: string) => sessions.filter(({ startsAt }) => startsAt === start);
    expect(at(noon)).toMatchObject([{ status: 'cancelled', recurrenceKey: null }]);
    expect(at(three)).toMatchObject([
      { id: where.sessionId, status: 'scheduled', endsAt: plus(three, 3600) },
    ]);
    expect(await slotsOf(world, webinarId)).toEqual([three, noonAfter, '2027-04-03T12:00:00.000Z']);
    await expect(world.register(before, { webinarId, sessionTime: noon })).rejects.toMatchObject({
      cause: { code: 'session_time_unavailable' },
    });
  };
  await check();
  await makeSessions(world, webinarId);
  await check();
  await world.at(before).webinars.unpublish({ webinarId });
  await world.at(before).webinars.publish({ webinarId });
  await check();
});

test('a moved session can be moved back', async () => {
  await using world = await createClockWorld();
  const where = await publishDaily(world);
  for (const startsAt of [three, noon]) await world.at(before).sessions.update({ ...where, startsAt });
  const sessions = await sessionsOf(world, where.webinarId);
  expect(sessions.filter(({ startsAt }) => startsAt.startsWith('2027-04-01'))).toMatchObject([
    { id: where.sessionId, startsAt: noon, status: 'scheduled' },
  ]);
  await makeSessions(world, where.webinarId);
  expect(await sessionsOf(world, where.webinarId)).toHaveLength(20);
});

test('moving a session that the schedule did not make leaves no row at its old start', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(noon) });
  const { sessions } = world.at(before);
  const made = await sessions.create({ webinarId, startsAt: three, control: 'api' });
  await sessions.update({ webinarId, sessionId: made.data.id, startsAt: noonAfter });
  expect((await sessionsOf(world, webinarId)).map(({ startsAt }) => startsAt).toSorted()).toEqual([
    noon,
    noonAfter,
  ]);
});

test('a cancelled session refuses registrations, is not made again by the schedule, and never starts', async () => {
  await using world = await createClockWorld();
  const where = await publishDaily(world);
  const { webinarId } = where;
  await world.register(before, { webinarId, sessionTime: noon });
  const { data } = await world.at(before).sessions.cancel(where);
  expect(data).toMatchObject({ status: 'cancelled', recurrenceKey: null, registrationCount: 1 });
  expect((await world.at(before).sessions.cancel(where)).data).toEqual(data);
  await makeSessions(world, webinarId);
  expect((await world.at(before).sessions.get(where)).data).toEqual(data);
  expect(await slotsOf(world, webinarId)).not.toContain(noon);
  await expect(world.register(before, { webinarId, sessionTime: noon, name: 'bob' })).rejects.toMatchObject({
    cause: { code: 'session_time_unavailable' },
  });
  expect(await world.tick('2027-04-01T14:00:00Z')).toEqual(nothing);
});

test('attendees of a cancelled session leave five seconds later, and there are no no-shows', async () => {
  await using world = await createClockWorld();
  const where = await publishDaily(world);
  const { webinarId } = where;
  const [ada] = [
    await world.register(before, { webinarId, sessionTime: noon }),
    await world.register(before, { webinarId, sessionTime: noon, name: 'bob' }),
  ];
  await world.tick(noon);
  await world.enter(plus(noon, 60), ada);
  const { data } = await world.at(plus(noon, 70)).sessions.cancel(where);
  expect(data).toMatchObject({ status: 'cancelled', actualStartedAt: noon, actualEndedAt: plus(noon, 70) });
  expect(await world.tick(plus(noon, 74.9))).toEqual(nothing);
  expect(await world.tick(plus(noon, 75))).toEqual({ ...nothing, left: 1 });
  expect(await world.query('select left_at from attendees.attendance')).toEqual([
    { left_at: new Date(plus(noon, 70)) },
  ]);
  expect(await world.tick(plus(noon, 2 * 3600))).toEqual(nothing);
  expect(await world.events()).toEqual(['ada joined', 'ada left']);
});

test('at the start of a cancelled session, a just-in-time session can be booked', async () => {
  await using world = await createClockWorld();
  const schedule = { ...daily, justInTime: { intervalMinutes: 15 as const } };
  const webinarId = await world.publish('2027-04-01T11:50:00Z', { schedule });
  const session = (await sessionsOf(world, webinarId)).find(({ startsAt }) => startsAt === noon);
  const now = '2027-04-01T11:51:00Z';
  await world.at(now).sessions.cancel({ webinarId, sessionId: session!.id });
  const { data: slots } = await world.at(now).sessions.slots({ webinarId });
  expect(slots[0]).toMatchObject({ startsAt: noon, kind: 'just_in_time' });
  const { sessionId } = await world.register(now, { webinarId, sessionTime: noon });
  expect((await world.at(now).sessions.get({ webinarId, sessionId })).data.kind).toBe('just_in_time');
});

test('timers before a session follow its new start', async () => {
  await using world = await createClockWorld();
  const where = await publishDaily(world);
  const { webinarId } = where;
  await world.at(before).automations.rules.create({
    webinarId,
    name: 'Reminder',
    trigger: { type: 'before_session', params: { offsetMinutes: 30 } },
    action: { type: 'webhook', url: 'http://127.0.0.1:9/' },
  });
  await world.register(before, { webinarId, sessionTime: noon });
  await world.at(before).sessions.update({ ...where, startsAt: three });
  const timers = await world.query('select due_at from automations.timer where session_id = $1', [
    where.sessionId,
  ]);
  expect(timers).toEqual([{ due_at: new Date(plus(three, -1800)) }]);
});
