import { expect, test } from 'vitest';
import { createClockWorld, nothing, once, plus, silent, type ClockWorld } from './clock-world.ts';

const before = '2027-04-01T08:00:00Z';
const start = '2027-04-01T12:00:00.000Z';
const end = '2027-04-01T13:00:00.000Z';
const after = '2027-04-01T13:10:00.000Z';

const statuses = async (world: ClockWorld): Promise<string[]> =>
  (await world.query('select name, status from attendees.registration order by name')).map(
    ({ name, status }) => `${name} ${status}`,
  );

test('only absent attendees become no-shows, ten minutes after the end', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(start) });
  const register = (name: string) => world.register(before, { webinarId, sessionTime: start, name });
  const [ada, , carl] = [await register('ada'), await register('bob'), await register('carl')];
  const { registrations } = world.at(before);
  await registrations.cancel({ webinarId, registrationId: carl.id });
  await world.tick(start);
  await world.enter(plus(end, -20), ada);
  await world.tick(end);
  expect(await world.tick(plus(after, -0.001))).toEqual({ ...nothing, left: 1 });
  expect(await world.tick(after)).toEqual({ ...nothing, noShows: 1 });
  expect(await statuses(world)).toEqual(['ada attended', 'bob no_show', 'carl cancelled']);
  expect(await world.events()).toEqual(['ada joined', 'ada left', 'bob no_show']);
  const rows = await world.query(
    `select occurred_at, data from attendees.attendee_event where type = 'no_show'`,
  );
  expect(rows).toEqual([
    { occurred_at: new Date(after), data: { detectedAt: after, sessionStartedAt: start } },
  ]);
  expect(await world.tick(plus(after, 60))).toEqual(nothing);
});

test('an attendee who watched less than minSeconds is a no-show', async () => {
  await using world = await createClockWorld();
  const attendance = { minSeconds: 60 };
  const webinarId = await world.publish(before, { schedule: once(start), attendance });
  for (const name of ['ada', 'bob']) {
    const person = await world.register(before, { webinarId, sessionTime: start, name });
    await world.enter(plus(start, 600), person);
    await world.query('update attendees.attendance set watched_seconds = $2 where registration_id = $1', [
      person.id,
      name === 'ada' ? 60 : 59,
    ]);
  }
  const carl = await world.register(before, { webinarId, sessionTime: start, name: 'carl' });
  await world.at(before).registrations.cancel({ webinarId, registrationId: carl.id });
  expect(await world.tick(after)).toEqual({ started: 1, ended: 1, left: 2, noShows: 1 });
  expect(await statuses(world)).toEqual(['ada attended', 'bob no_show', 'carl cancelled']);
  expect(await world.events()).toEqual(['ada joined', 'ada left', 'bob joined', 'bob left', 'bob no_show']);
});

test('an attendee becomes a no-show only after they have left', async () => {
  await using world = await createClockWorld();
  const attendance = { minSeconds: 60, noShowGraceMinutes: 0 };
  const webinarId = await world.publish(before, { schedule: once(start), attendance });
  const ada = await world.register(before, { webinarId, sessionTime: start });
  await world.enter(plus(end, -10), ada);
  expect(await world.tick(end)).toEqual({ ...nothing, started: 1, ended: 1 });
  expect(await world.tick(plus(end, 5))).toEqual({ ...nothing, left: 1, noShows: 1 });
  expect(await world.events()).toEqual(['ada joined', 'ada left', 'ada no_show']);
});

test('on-demand sessions have no no-shows, and just-in-time sessions have them', async () => {
  await using world = await createClockWorld();
  const schedule = { onDemand: true, justInTime: { intervalMinutes: 30 as const } };
  const webinarId = await world.publish(before, { schedule });
  await world.register(before, { webinarId });
  await world.register(before, { webinarId, sessionTime: '2027-04-01T08:30:00Z', name: 'bob' });
  expect(await world.tick('2027-04-03T00:00:00Z')).toMatchObject({ started: 2, ended: 2, noShows: 1 });
  expect(await statuses(world)).toEqual(['ada registered', 'bob no_show']);
});

test('after a page of no-shows that fails, a later round does the rest, each once', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(start) });
  await world.register(before, { webinarId, sessionTime: start });
  await world.query(
    `insert into attendees.registration
     select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'email', n || '@example.com'))).*
     from attendees.registration r, generate_series(2, 6001) n`,
  );
  const noShows = async () => {
    const events = await world.query(
      `select registration_id from attendees.attendee_event where type = 'no_show'`,
    );
    const found = (await world.statusesOf('attendees.registration')).filter((status) => status === 'no_show');
    return [events.length, new Set(events.map((event) => event.registration_id)).size, found.length];
  };
  let pages = 0;
  const onEvents = async () => {
    pages += 1;
    if (pages === 3) throw new Error('Killed');
  };
  const findInterest = async () => ({ minutes: [], percents: [], onEvents });
  const options = { subscriber: { ...silent, findInterest } };
  await expect(world.tick(after, options)).rejects.toThrow('Killed');
  // Two pages of 2,000 are committed, and the third is not.
  expect(await noShows()).toEqual([4000, 4000, 4000]);
  await world.tick(plus(after, 120), options);
  expect(await noShows()).toEqual([6001, 6001, 6001]);
});

test.each(['archive', 'unpublish'] as const)('after %s a webinar has no no-shows', async (retire) => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(start) });
  await world.register(before, { webinarId, sessionTime: start });
  await world.tick(end);
  await world.at(plus(end, 60)).webinars[retire]({ webinarId });
  expect(await world.tick(after)).toEqual(nothing);
  expect(await statuses(world)).toEqual(['ada registered']);
  expect(await world.query('select id from webinars.session where no_show_at is not null')).toEqual([]);
});

test('a session ended by a call has no-shows, and a cancelled session has none', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once('2027-05-01T00:00:00Z') });
  const make = async (startsAt: string) => {
    const { data } = await world.at(before).sessions.create({ webinarId, startsAt, control: 'api' });
    await world.register(before, {
      webinarId,
      sessionTime: startsAt,
      name: startsAt === start ? 'ada' : 'bob',
    });
    return { webinarId, sessionId: data.id };
  };
  const [ended, cancelled] = [await make(start), await make('2027-04-01T12:30:00Z')];
  for (const session of [ended, cancelled])
    await world.at('2027-04-01T12:40:00Z').sessions.progress({ ...session, action: 'start' });
  await world.at('2027-04-01T12:50:00Z').sessions.progress({ ...ended, action: 'end' });
  await world.at('2027-04-01T12:50:00Z').sessions.cancel(cancelled);
  expect(await world.tick('2027-04-01T12:59:59Z')).toEqual(nothing);
  expect(await world.tick(end)).toEqual({ ...nothing, noShows: 1 });
  expect(await statuses(world)).toEqual(['ada no_show', 'bob registered']);
  const [{ data }] = await world.query(`select data from attendees.attendee_event where type = 'no_show'`);
  expect(data.sessionStartedAt).toBe('2027-04-01T12:40:00.000Z');
});

test('a rule fires for each no-show, with joined false', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(start) });
  await world.at(before).automations.rules.create({
    webinarId,
    name: 'Missed',
    trigger: { type: 'no_show' },
    conditions: [{ field: 'joined', operator: 'eq', value: false }],
    action: { type: 'webhook', url: 'http://127.0.0.1:9/' },
  });
  for (const name of ['ada', 'bob']) await world.register(before, { webinarId, sessionTime: start, name });
  expect(await world.tick(after)).toEqual({ ...nothing, started: 1, ended: 1, noShows: 2 });
  const bodies = (await world.query('select body from deliveries.body')).map(({ body }) => JSON.parse(body));
  expect(bodies.map((body) => `${body.attendee.name} ${body.event_type}`).toSorted()).toEqual([
    'ada no_show',
    'bob no_show',
  ]);
  expect(bodies[0].event_data).toEqual({ detectedAt: after, sessionStartedAt: start });
});
