import { expect, test } from 'vitest';
import {
  callRest,
  codeOf,
  createTestAccount,
  createTestKey,
  inMinutes,
  scheduleAt,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { countRows, register, registerMany } from '../attendees/registrations.ts';

interface Slot {
  startsAt: string;
  endsAt: string;
  kind: string;
  localTime: string;
  sessionId: string | null;
}

/** A published webinar with a schedule, in a workspace of its own. */
async function publish(service: TestApi, schedule: object, fields: object = {}) {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const body = { title: 'Launch', schedule, ...fields };
  const { id } = (await callRest(service, 'POST /webinars', { key, body })).json.data;
  expect((await callRest(service, `POST /webinars/${id}/publish`, { key })).status).toBe(200);
  return { key, webinar: { id, sessionTime: inMinutes(60) } };
}

const listSlots = async (
  service: TestApi,
  { key, webinar }: Awaited<ReturnType<typeof publish>>,
  query = '',
): Promise<Slot[]> =>
  (await callRest(service, `GET /webinars/${webinar.id}/session-slots${query}`, { key })).json.data;

test('slots are from the schedule and created sessions, soonest first, in the requested time zone', async () => {
  await using service = await testApi();
  const world = await publish(
    service,
    { recurrences: [{ frequency: 'once', time: '09:00', startDate: '2090-07-01' }], slotsShown: 1 },
    { timezone: 'Europe/Berlin', durationSeconds: 1800 },
  );
  const slot = {
    startsAt: '2090-07-01T07:00:00.000Z',
    endsAt: '2090-07-01T07:30:00.000Z',
    kind: 'scheduled',
    localTime: '2090-07-01T09:00:00+02:00',
    sessionId: expect.any(String),
  };
  expect(await listSlots(service, world)).toEqual([slot]);
  expect(await listSlots(service, world, '?timezone=Asia/Kathmandu')).toMatchObject([
    { localTime: '2090-07-01T12:45:00+05:45' },
  ]);
  const startsAt = inMinutes(5);
  await callRest(service, `POST /webinars/${world.webinar.id}/sessions`, {
    ...world,
    body: { startsAt, control: 'api' },
  });
  expect(await listSlots(service, world)).toMatchObject([{ startsAt }]);
  expect(await listSlots(service, world, '?limit=50')).toMatchObject([{ startsAt }, slot]);
  expect(
    (await callRest(service, `GET /webinars/${world.webinar.id}/session-slots?limit=51`, world)).status,
  ).toBe(422);
});

test('a slot without a session yet can be booked, and a time that is not offered gets the nearest three', async () => {
  await using service = await testApi();
  const daily = { frequency: 'daily', time: '12:00', startDate: '2026-01-01', endDate: '2090-12-31' };
  const world = await publish(service, { recurrences: [daily], blackoutDates: ['2090-06-02'] });
  const far = await register(service, world, { sessionTime: '2090-06-01T12:00:00Z' });
  expect(far.status).toBe(201);
  for (const sessionTime of ['2090-06-02T12:00:00Z', '2090-06-03T11:00:00Z']) {
    const refused = await register(service, world, { sessionTime });
    expect(codeOf(refused)).toEqual([422, 'session_time_unavailable']);
    expect(refused.json.details.nearest[0]).toMatch(/^2090-06-0[13]T12/);
  }
  const refused = await register(service, world, { sessionTime: '2090-06-03T11:00:00Z' });
  expect(refused.json.details.nearest).toEqual([
    '2090-06-03T12:00:00.000Z',
    '2090-06-04T12:00:00.000Z',
    '2090-06-01T12:00:00.000Z',
  ]);
});

test('concurrent bookings of a just-in-time slot share one session, which the first one makes', async () => {
  await using service = await testApi();
  const world = await publish(service, { justInTime: { intervalMinutes: 15 }, slotsShown: 4 });
  expect(await countRows(service, 'webinars.session')).toBe(0);
  const slots = await listSlots(service, world);
  expect(slots.map(({ kind, sessionId }) => `${kind} ${sessionId}`)).toEqual(
    Array(4).fill('just_in_time null'),
  );
  const { startsAt } = slots[2]!;

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_unused, number) =>
      register(service, world, { sessionTime: startsAt, email: `guest${number}@example.com` }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  expect(new Set(answers.map(({ json }) => json.data.sessionId)).size).toBe(1);
  expect(await countRows(service, 'webinars.session')).toBe(1);
  const taken = (await listSlots(service, world)).find((slot) => slot.startsAt === startsAt);
  expect(taken!.sessionId).toBe(answers[0]!.json.data.sessionId);
  // A quarter of an hour too far ahead is not offered yet.
  const tooFar = new Date(Date.parse(slots[3]!.startsAt) + 2 * 900_000).toISOString();
  expect((await register(service, world, { sessionTime: tooFar })).status).toBe(422);
});

test('a draft lists its slots and refuses registrations', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const sessionTime = inMinutes(60);
  const body = { title: 'Draft', schedule: scheduleAt(sessionTime) };
  const { id } = (await callRest(service, 'POST /webinars', { key, body })).json.data;
  const world = { key, webinar: { id, sessionTime } };
  expect(await listSlots(service, world)).toMatchObject([{ startsAt: sessionTime, sessionId: null }]);
  expect(codeOf(await register(service, world))).toEqual([409, 'webinar_not_published']);
});
