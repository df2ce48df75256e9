import { randomUUID } from 'node:crypto';
import type { SessionChange } from '@service/webinars';
import { expect, test } from 'vitest';
import { createClockWorld, nothing, once, plus, silent } from './clock-world.ts';

const before = '2027-04-01T08:00:00Z';
const start = '2027-04-01T12:00:00.000Z';
const end = '2027-04-01T13:00:00.000Z';

test('a session that passed while no clock ran starts and ends in one round', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(start) });
  const changes: SessionChange[] = [];
  const onSessions = async (_tx: unknown, changed: readonly SessionChange[]) => void changes.push(...changed);
  const subscriber = { ...silent, onSessions };
  expect(await world.tick('2027-04-09T00:00:00Z', { subscriber })).toEqual({
    ...nothing,
    started: 1,
    ended: 1,
  });
  const [session] = await world.query('select * from webinars.session');
  expect(session).toMatchObject({
    status: 'ended',
    actual_started_at: new Date(start),
    actual_ended_at: new Date(end),
    closing_at: null,
    no_show_at: null,
  });
  expect(changes).toEqual([
    { change: 'ended', session: expect.objectContaining({ id: session.id, webinarId, status: 'ended' }) },
  ]);
  expect(await world.tick('2027-04-09T00:00:01Z', { subscriber })).toEqual(nothing);
});

test('the steps after the end run at their times', async () => {
  await using world = await createClockWorld();
  await world.publish(before, { schedule: once(start), attendance: { noShowGraceMinutes: 25 } });
  await world.tick(end);
  const due = async () => (await world.query('select closing_at, no_show_at from webinars.session'))[0];
  const noShowAt = new Date('2027-04-01T13:25:00Z');
  expect(await due()).toEqual({ closing_at: new Date(plus(end, 5)), no_show_at: noShowAt });
  await world.tick(plus(end, 5));
  expect(await due()).toEqual({ closing_at: null, no_show_at: noShowAt });
  await world.tick(plus(end, 25 * 60));
  expect(await due()).toEqual({ closing_at: null, no_show_at: null });
});

test('an API-controlled session does not start or end by the clock', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once('2030-01-01T00:00:00Z') });
  await world.at(before).sessions.create({ webinarId, startsAt: start, control: 'api' });
  expect(await world.tick('2027-04-09T00:00:00Z')).toEqual(nothing);
  expect(await world.statusesOf('webinars.session')).toEqual(['scheduled', 'scheduled']);
});

test('concurrent clocks do everything once', async () => {
  await using world = await createClockWorld();
  const webinarId = await world.publish(before, { schedule: once(start) });
  await world.query(
    `insert into webinars.session
     select (jsonb_populate_record(s, jsonb_build_object(
       'id', gen_random_uuid(), 'starts_at', s.starts_at + n * interval '1 ms'))).*
     from webinars.session s, generate_series(1, 299) n`,
  );
  await world.query(
    `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
     select account_id, gen_random_uuid(), webinar_id, id, 'ada', 'ada@example.com', 'api', now()
     from webinars.session where webinar_id = $1`,
    [webinarId],
  );
  const changed: string[] = [];
  const onSessions = async (_tx: unknown, changes: readonly SessionChange[]) =>
    void changed.push(...changes.map(({ session }) => session.id));
  const subscriber = { ...silent, onSessions };
  const sums = { ...nothing };
  for (let rounds = 0; sums.ended < 300 && rounds < 10; rounds += 1) {
    const all = await Promise.all([1, 2, 3].map(() => world.tick(plus(end, 2), { subscriber })));
    for (const counts of all)
      for (const key of ['started', 'ended', 'left', 'noShows'] as const) sums[key] += counts[key];
  }
  expect(sums).toEqual({ ...nothing, started: 300, ended: 300 });
  expect(new Set(changed).size).toBe(changed.length);

  for (let rounds = 0; sums.noShows < 300 && rounds < 10; rounds += 1) {
    const all = await Promise.all([1, 2, 3].map(() => world.tick(plus(end, 3600), { subscriber })));
    for (const { noShows } of all) sums.noShows += noShows;
  }
  expect(sums.noShows).toBe(300);
  const events = await world.query(
    `select count(*)::int as rows, count(distinct registration_id)::int as people from attendees.attendee_event`,
  );
  expect(events).toEqual([{ rows: 300, people: 300 }]);
});

test('an error of one workspace does not affect another, and its work is done once the error is gone', async () => {
  await using world = await createClockWorld();
  const unlucky = randomUUID();
  await world.publish(before, { schedule: once(start) });
  await world.publish(before, { schedule: once(start) }, unlucky);
  const onSessions: typeof silent.onSessions = async ({ accountId }) => {
    if (accountId === unlucky) throw new Error('Its rules cannot be read');
  };
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const subscriber = { ...silent, onSessions };
  expect(await world.tick(end, { subscriber, onFailure })).toEqual({ ...nothing, started: 2, ended: 1 });
  expect(failures).toEqual([new Error('Its rules cannot be read')]);
  await expect(world.tick(end, { subscriber })).rejects.toThrow('Its rules cannot be read');
  const statuses = await world.query('select account_id, status from webinars.session');
  expect(statuses.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toEqual([
    { account_id: world.accountId, status: 'ended' },
    { account_id: unlucky, status: 'live' },
  ]);
  expect(await world.tick(end)).toEqual({ ...nothing, ended: 1 });
});

test('a start can be booked for a minute longer than it is offered, and a registration without a time is on demand', async () => {
  await using world = await createClockWorld();
  const justInTime = { intervalMinutes: 15, minLeadSeconds: 0 } as const;
  const schedule = { onDemand: true, justInTime, ...once(start) };
  const webinarId = await world.publish(before, { schedule });
  const kindAt = async (now: string, sessionTime?: string) => {
    const { sessionId } = await world.register(now, { webinarId, sessionTime, name: randomUUID() });
    return (await world.at(now).sessions.get({ webinarId, sessionId })).data.kind;
  };
  const late = plus(start, 59);
  await world.tick(late);
  const quarterLater = plus(start, 900);
  expect([
    await kindAt(late, start),
    await kindAt(late),
    await kindAt(plus(quarterLater, 59), quarterLater),
    await kindAt(plus(start, 61), start),
    await kindAt(plus(quarterLater, 61), quarterLater),
  ]).toEqual(['scheduled', 'on_demand', 'just_in_time', 'on_demand', 'on_demand']);
  // The room would close before they enter, or has closed.
  for (const room of [{ lateCutoffMinutes: 1 }, { lateCutoffMinutes: null, lateJoin: 'closed' as const }]) {
    await world.at(before).webinars.update({ webinarId, room });
    expect(await kindAt(late, start)).toBe('on_demand');
  }
});

test('an aborted round stops after one batch, and the next rounds do the rest', async () => {
  await using world = await createClockWorld();
  await world.publish(before, { schedule: once(start) });
  await world.query(
    `insert into webinars.session
     select (jsonb_populate_record(s, jsonb_build_object(
       'id', gen_random_uuid(), 'starts_at', s.starts_at + n * interval '1 ms'))).*
     from webinars.session s, generate_series(1, 299) n`,
  );
  const signal = AbortSignal.abort();
  const first = await world.tick(plus(start, 2), { signal });
  expect(first.started).toBeGreaterThan(0);
  expect(first.started).toBeLessThan(300);
  expect((await world.tick(plus(start, 2), { signal })).started).toBe(300 - first.started);
});

test('a live just-in-time session takes registrations, and a live scheduled session does not', async () => {
  await using world = await createClockWorld();
  const schedule = { onDemand: true, ...once('2027-04-01T12:02:00Z') };
  const webinarId = await world.publish(before, { schedule });
  const now = '2027-04-01T12:03:00Z';
  await world.register('2027-04-01T12:00:20Z', { webinarId, sessionTime: start });
  await world.tick(now);
  expect(await world.statusesOf('webinars.session')).toEqual(['live', 'live']);
  const more = await world.register(now, { webinarId, sessionTime: start, name: 'bob' });
  expect(more.sessionTime).toBe(start);
  const beside = await world.register(now, {
    webinarId,
    sessionTime: '2027-04-01T12:02:00Z',
    name: 'bob',
  });
  const { data } = await world.at(now).sessions.get({ webinarId, sessionId: beside.sessionId });
  expect(data.kind).toBe('on_demand');
  await world.tick(now);
  const { data: slots } = await world.at('2027-04-01T12:02:30Z').sessions.slots({ webinarId });
  const { sessionId } = beside;
  expect(slots).toMatchObject([{ kind: 'on_demand', startsAt: '2027-04-01T12:02:00.000Z', sessionId }]);
});
