import { expect, test } from 'vitest';
import { createClockWorld, nothing, plus, silent } from './clock-world.ts';

/** A clock change: a webinar at the same local time on the days around it, with its expected instants. */
const changes = [
  {
    what: 'New York, where summer time begins',
    timezone: 'America/New_York',
    time: '09:00',
    publishedAt: '2027-03-13T10:00:00Z',
    startsAt: ['2027-03-13T14:00:00.000Z', '2027-03-14T13:00:00.000Z', '2027-03-15T13:00:00.000Z'],
  },
  {
    what: 'New York, at a time that the change skips',
    timezone: 'America/New_York',
    time: '02:30',
    publishedAt: '2027-03-13T00:00:00Z',
    startsAt: ['2027-03-13T07:30:00.000Z', '2027-03-14T07:30:00.000Z', '2027-03-15T06:30:00.000Z'],
  },
  {
    what: 'New York, at a time that comes twice',
    timezone: 'America/New_York',
    time: '01:30',
    publishedAt: '2027-11-06T00:00:00Z',
    startsAt: ['2027-11-06T05:30:00.000Z', '2027-11-07T05:30:00.000Z', '2027-11-08T06:30:00.000Z'],
  },
  {
    what: 'Berlin, where summer time ends',
    timezone: 'Europe/Berlin',
    time: '09:00',
    publishedAt: '2027-10-30T00:00:00Z',
    startsAt: ['2027-10-30T07:00:00.000Z', '2027-10-31T08:00:00.000Z', '2027-11-01T08:00:00.000Z'],
  },
];

test.each(changes)('sessions start and end at their instants in $what', async (change) => {
  await using world = await createClockWorld();
  const { timezone, time, publishedAt, startsAt } = change;
  const recurrence = { frequency: 'daily', startDate: '2027-01-01', time } as const;
  await world.publish(publishedAt, {
    timezone,
    durationSeconds: 1800,
    schedule: { recurrences: [recurrence] },
  });
  const tick = (now: string) => world.tick(now, { subscriber: silent });
  for (const start of startsAt) {
    const end = plus(start, 1800);
    const moved = async () =>
      await world.query(
        `select starts_at, status, actual_started_at, actual_ended_at from webinars.session where starts_at = $1`,
        [start],
      );
    const live = { starts_at: new Date(start), status: 'live', actual_started_at: new Date(start) };
    expect(await tick(plus(start, -0.001))).toMatchObject({ started: 0 });
    expect(await tick(start)).toEqual({ ...nothing, started: 1 });
    expect(await moved()).toEqual([{ ...live, actual_ended_at: null }]);
    expect(await tick(plus(end, -0.001))).toEqual(nothing);
    expect(await tick(end)).toEqual({ ...nothing, ended: 1 });
    expect(await moved()).toEqual([{ ...live, status: 'ended', actual_ended_at: new Date(end) }]);
  }
});

test('an on-demand session is open for a day, also with a short video', async () => {
  await using world = await createClockWorld();
  const now = '2027-05-01T12:00:20Z';
  const webinarId = await world.publish(now, { schedule: { onDemand: true }, durationSeconds: 600 });
  const { data: slots } = await world.at(now).sessions.slots({ webinarId });
  expect(slots[0]).toMatchObject({
    startsAt: '2027-05-01T12:00:00.000Z',
    endsAt: '2027-05-02T12:00:00.000Z',
  });
  const { sessionId } = await world.register(now, { webinarId });
  const session = async (at: string) => (await world.at(at).sessions.get({ webinarId, sessionId })).data;
  expect(await session('2027-05-02T11:59:59Z')).toMatchObject({ status: 'live', positionSeconds: 0 });
  expect(await session('2027-05-02T12:00:00Z')).toMatchObject({ status: 'ended', positionSeconds: 0 });
  expect(await world.tick('2027-05-02T12:00:00Z')).toEqual({ ...nothing, started: 1, ended: 1 });
});
