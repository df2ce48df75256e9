import { expect } from 'vitest';
import { countRows, register } from '../attendees/registrations.ts';
import { codeOf, inMinutes } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { createWorld } from '../support/world.ts';
import { publish, type World } from './session-world.ts';

interface Slot {
  startsAt: string;
  endsAt: string;
  kind: string;
  localTime: string;
  sessionId: string | null;
}

const listSlots = async ({ call }: World, query = ''): Promise<Slot[]> =>
  (await call(`GET /session-slots${query}`)).json.data;

test('slots are from the schedule and created sessions, soonest first, in the requested time zone', async ({
  service,
}) => {
  const once = { frequency: 'once', time: '09:00', startDate: '2090-07-01' };
  const fields = { timezone: 'Europe/Berlin', durationSeconds: 1800 };
  const world = await publish(service, { recurrences: [once], slotsShown: 1 }, fields);
  const slot = {
    startsAt: '2090-07-01T07:00:00.000Z',
    endsAt: '2090-07-01T07:30:00.000Z',
    kind: 'scheduled',
    localTime: '2090-07-01T09:00:00+02:00',
    sessionId: expect.any(String),
  };
  expect(await listSlots(world)).toEqual([slot]);
  const [there] = await listSlots(world, '?timezone=Asia/Kathmandu');
  expect(there!.localTime).toBe('2090-07-01T12:45:00+05:45');
  const startsAt = inMinutes(5);
  await world.create('/sessions', { startsAt, control: 'api' });
  expect(await listSlots(world)).toMatchObject([{ startsAt }]);
  expect(await listSlots(world, '?limit=50')).toMatchObject([{ startsAt }, slot]);
  expect((await world.call('GET /session-slots?limit=51')).status).toBe(422);
});

test('a slot without a session yet can be booked, and a time that is not offered gets the nearest three', async ({
  service,
}) => {
  const daily = { frequency: 'daily', time: '12:00', startDate: '2026-01-01', endDate: '2090-12-31' };
  const world = await publish(service, { recurrences: [daily], blackoutDates: ['2090-06-02'] });
  expect((await register(world, { sessionTime: '2090-06-01T12:00:00Z' })).status).toBe(201);
  const onBlackout = await register(world, { sessionTime: '2090-06-02T12:00:00Z' });
  expect(codeOf(onBlackout)).toEqual([422, 'session_time_unavailable']);
  const refused = await register(world, { sessionTime: '2090-06-03T11:00:00Z' });
  expect(codeOf(refused)).toEqual([422, 'session_time_unavailable']);
  expect(refused.json.details.nearest).toEqual([
    '2090-06-03T12:00:00.000Z',
    '2090-06-04T12:00:00.000Z',
    '2090-06-01T12:00:00.000Z',
  ]);
});

test('concurrent bookings of a just-in-time slot share one session, which the first one makes', async ({
  service,
}) => {
  const world = await publish(service, { justInTime: { intervalMinutes: 15 }, slotsShown: 4 });
  expect(await countRows(service, world, 'webinars.session')).toBe(0);
  const slots = await listSlots(world);
  expect(slots.map(({ kind, sessionId }) => `${kind} ${sessionId}`)).toEqual(
    Array(4).fill('just_in_time null'),
  );
  const { startsAt } = slots[2]!;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_unused, number) =>
      register(world, { sessionTime: startsAt, email: `guest${number}@example.com` }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  const [sessionId, ...others] = new Set(answers.map(({ json }) => json.data.sessionId));
  expect([others, await countRows(service, world, 'webinars.session')]).toEqual([[], 1]);
  expect((await listSlots(world)).find((slot) => slot.startsAt === startsAt)!.sessionId).toBe(sessionId);
  // A quarter of an hour too far ahead is not offered yet.
  const tooFar = new Date(Date.parse(slots[3]!.startsAt) + 2 * 900_000).toISOString();
  expect((await register(world, { sessionTime: tooFar })).status).toBe(422);
});

test('a draft lists its slots', async ({ service }) => {
  const world = await createWorld({ beside: { service }, publish: false });
  const startsAt = world.webinar.sessionTime;
  expect(await listSlots(world)).toMatchObject([{ startsAt, sessionId: null }]);
});
