import { expect, test } from 'vitest';
import { createClockWorld, nothing, once, plus, silent, type ClockWorld } from './clock-world.ts';

const before = '2027-04-01T08:00:00Z';
const start = '2027-04-01T12:00:00.000Z';
const end = '2027-04-01T13:00:00.000Z';

/** A webinar with a session at noon. */
const publish = (world: ClockWorld, fields: Parameters<ClockWorld['publish']>[1] = {}) =>
  world.publish(before, { schedule: once(start), ...fields });

const attendances = (world: ClockWorld) =>
  world.query(
    `select a.check_at, a.left_at, r.status from attendees.attendance a
     join attendees.registration r on r.id = a.registration_id order by r.name`,
  );

const dataOf = async (world: ClockWorld): Promise<unknown[]> =>
  (await world.query(`select data from attendees.attendee_event where type = 'left' order by id`)).map(
    ({ data }) => data,
  );

test('an attendee who stays to the end leaves five seconds later, and leftAt is the end', async () => {
  await using world = await createClockWorld();
  const webinarId = await publish(world);
  const ada = await world.register(before, { webinarId, sessionTime: start });
  await world.tick(start);
  await world.enter(plus(end, -20), ada);
  expect(await world.statusesOf('attendees.registration')).toEqual(['attending']);
  expect(await world.tick(end)).toEqual({ ...nothing, ended: 1 });
  expect(await world.tick(plus(end, 4.9))).toEqual(nothing);
  expect(await world.tick(plus(end, 5))).toEqual({ ...nothing, left: 1 });
  expect(await attendances(world)).toEqual([{ check_at: null, left_at: new Date(end), status: 'attended' }]);
  const data = { leftAt: end, reason: 'session_ended', watchedSeconds: 0, completionPercent: 0 };
  expect(await dataOf(world)).toEqual([expect.objectContaining(data)]);
  expect(await world.tick(plus(end, 3600))).toEqual(nothing);
  expect(await world.events()).toEqual(['ada joined', 'ada left']);
});

test('an attendee leaves 90 s after the last heartbeat, and leftAt is that heartbeat', async () => {
  await using world = await createClockWorld();
  const webinarId = await publish(world);
  const ada = await world.register(before, { webinarId, sessionTime: start });
  const bob = await world.register(before, { webinarId, sessionTime: start, name: 'bob' });
  await world.tick(start);
  await world.enter(plus(start, 60), ada);
  await world.enter(plus(start, 100), bob);
  expect(await world.tick(plus(start, 149))).toEqual(nothing);
  expect(await world.tick(plus(start, 150))).toEqual({ ...nothing, left: 1 });
  expect(await attendances(world)).toEqual([
    { check_at: null, left_at: new Date(plus(start, 60)), status: 'attended' },
    { check_at: new Date(plus(start, 190)), left_at: null, status: 'attending' },
  ]);
  expect(await dataOf(world)).toEqual([
    expect.objectContaining({ leftAt: plus(start, 60), reason: 'timeout' }),
  ]);
});

test('no `left` event is published for an archived webinar or a cancelled registration', async () => {
  await using world = await createClockWorld();
  const [open, archived] = [await publish(world), await publish(world)];
  const ada = await world.register(before, { webinarId: open, sessionTime: start });
  const bob = await world.register(before, { webinarId: archived, sessionTime: start, name: 'bob' });
  await world.tick(start);
  for (const person of [ada, bob]) await world.enter(plus(start, 10), person);
  await world.at(plus(start, 20)).registrations.cancel({ webinarId: open, registrationId: ada.id });
  await world.at(plus(start, 20)).webinars.archive({ webinarId: archived });
  expect(await world.tick(plus(start, 300))).toMatchObject({ left: 2 });
  expect(await world.statusesOf('attendees.registration')).toEqual(['cancelled', 'attended']);
  expect(await world.events()).toEqual(['ada joined', 'bob joined']);
});

test('many attendees who leave at once leave once each, over several batches and clocks', async () => {
  await using world = await createClockWorld();
  const webinarId = await publish(world);
  const ada = await world.register(before, { webinarId, sessionTime: start });
  await world.tick(start);
  await world.enter(plus(end, -10), ada);
  for (const table of ['registration', 'attendance'])
    await world.query(
      `insert into attendees.${table}
       select (jsonb_populate_record(t, jsonb_build_object(
         '${table === 'registration' ? 'id' : 'registration_id'}', md5(n::text)::uuid${
           table === 'registration' ? `, 'email', n || '@example.com'` : ''
         }))).*
       from attendees.${table} t, generate_series(1, 2999) n`,
    );
  await world.tick(end);
  // Some are called up to leave and have, so that the clocks below find the same ones.
  let { left } = await world.tick(plus(end, 5), { signal: AbortSignal.abort() });
  for (let rounds = 0; left < 3000 && rounds < 10; rounds += 1) {
    const all = await Promise.all([1, 2].map(() => world.tick(plus(end, 5))));
    left += all[0]!.left + all[1]!.left;
  }
  expect(left).toBe(3000);
  const [counts] = await world.query(
    `select count(*)::int as rows, count(distinct registration_id)::int as people
     from attendees.attendee_event where type = 'left'`,
  );
  expect(counts).toEqual({ rows: 3000, people: 3000 });
  expect(new Set(await world.statusesOf('attendees.registration'))).toEqual(new Set(['attended']));
});

test('a webinar whose subscriber fails is tried again a minute later and delays no other', async () => {
  await using world = await createClockWorld();
  const [well, ill] = [await publish(world), await publish(world)];
  const [ada, bob] = [
    await world.register(before, { webinarId: well, sessionTime: start }),
    await world.register(before, { webinarId: ill, sessionTime: start, name: 'bob' }),
  ];
  await world.tick(start);
  for (const person of [ada, bob]) await world.enter(plus(start, 10), person);
  const findInterest: typeof silent.findInterest = async (_tx, webinarId) => {
    if (webinarId === ill) throw new Error('Its rules cannot be read');
    return { minutes: [], percents: [], onEvents: async () => undefined };
  };
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const options = { subscriber: { ...silent, findInterest }, onFailure };
  expect(await world.tick(plus(start, 120), options)).toEqual({ ...nothing, left: 1 });
  expect(failures).toEqual([new Error('Its rules cannot be read')]);
  expect(await world.tick(plus(start, 121), options)).toEqual(nothing);
  expect(failures).toHaveLength(1);
  expect(await world.tick(plus(start, 180))).toEqual({ ...nothing, left: 1 });
  expect(await world.events()).toEqual(['ada joined', 'ada left', 'bob joined', 'bob left']);
});
