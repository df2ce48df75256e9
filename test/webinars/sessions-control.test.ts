import { expect } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { codeOf, inMinutes } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { createWorld } from '../support/world.ts';
import { listSessions } from './session-world.ts';

test('an API-controlled session changes by calls only, and each status refuses actions that do not fit', async ({
  service,
}) => {
  const world = await createWorld({ beside: { service } });
  const startsAt = inMinutes(5);
  const made = await world.call('POST /sessions', { startsAt, control: 'api' });
  const at = `/sessions/${made.json.data.id}`;
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${world.webinar.id}${at}`);
  const untouched = { positionSeconds: 0, registrationCount: 0, recurrenceKey: null, status: 'scheduled' };
  expect(made.json.data).toMatchObject({ kind: 'scheduled', control: 'api', startsAt, ...untouched });
  const book = (email: string) => register(world, { sessionTime: startsAt, email });
  await book('ada@example.com');
  const move = (body: object) => world.call(`POST ${at}/progress`, body);
  const conflict = [409, 'session_state_conflict'];

  for (const body of [{ action: 'seek', positionSeconds: 1 }, { action: 'end' }]) {
    const refused = await move(body);
    expect(codeOf(refused)).toEqual(conflict);
    expect(refused.json.details).toEqual({ status: 'scheduled' });
  }
  const actualStartedAt = expect.any(String);
  expect((await move({ action: 'start' })).json.data).toMatchObject({ status: 'live', actualStartedAt });
  expect(codeOf(await move({ action: 'start' }))).toEqual(conflict);
  expect(codeOf(await book('late@example.com'))).toEqual([422, 'session_time_unavailable']);
  expect((await move({ action: 'seek', positionSeconds: 600 })).json.data.positionSeconds).toBe(600);
  for (const wrong of [
    { action: 'seek', positionSeconds: 601 },
    { action: 'seek' },
    { action: 'end', positionSeconds: 3 },
  ])
    expect((await move(wrong)).json.issues).toMatchObject([{ path: 'positionSeconds' }]);
  const segmentId = '0193e3a0-0000-7000-8000-000000000000';
  expect(codeOf(await move({ action: 'advance', segmentId }))).toEqual([409, 'session_has_no_segments']);
  const ended = { status: 'ended', positionSeconds: 600, actualEndedAt: expect.any(String) };
  expect((await move({ action: 'end' })).json.data).toMatchObject(ended);
  for (const body of [{ action: 'start' }, { action: 'seek', positionSeconds: 1 }, { action: 'end' }])
    expect(codeOf(await move(body))).toEqual(conflict);
  const reset = await world.create(`${at}/reset`);
  expect(reset).toEqual({ ...made.json.data, registrationCount: 1 });
  expect((await book('late@example.com')).status).toBe(201);
});

test('of two concurrent starts one succeeds', async ({ world: { call } }) => {
  const { json } = await call('POST /sessions', { startsAt: inMinutes(5), control: 'api' });
  const start = () => call(`POST /sessions/${json.data.id}/progress`, { action: 'start' });
  const answers = await Promise.all(Array.from({ length: 8 }, start));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('progress of a clock session, a taken start and a start in the past are refused', async ({ world }) => {
  const { call, webinar } = world;
  const [session] = (await call('GET /sessions')).json.data;
  for (const [verb, body] of [['reset'], ['progress', { action: 'start' }]] as const) {
    const refused = await call(`POST /sessions/${session.id}/${verb}`, body);
    expect(codeOf(refused)).toEqual([409, 'session_not_api_controlled']);
  }
  const make = (startsAt: string, control = 'api') => call('POST /sessions', { startsAt, control });
  expect(codeOf(await make(webinar.sessionTime))).toEqual([409, 'session_exists']);
  expect((await make(inMinutes(-5))).json.issues).toMatchObject([{ path: 'startsAt' }]);
  expect((await make(inMinutes(5), 'clock')).status).toBe(422);
});

test('a clock session starts and ends by the clock, and an API-controlled one waits for calls', async ({
  service,
}) => {
  const world = await createWorld({
    beside: { service },
    sessionTime: inMinutes(60),
    webinar: { durationSeconds: 3600 },
  });
  for (const minutes of [1, 2, 3])
    await world.create('/sessions', { startsAt: inMinutes(minutes), control: 'api' });
  // Sets the starts into the past. The third session is still API-controlled.
  const [third, second, first] = await listSessions(world);
  for (const [session, minutesAgo, control] of [
    [first, 90, 'clock'],
    [second, 10, 'clock'],
    [third, 20, 'api'],
  ] as const)
    await service.db.database.pool.query(
      `update webinars.session set control = $3,
         starts_at = now() - make_interval(mins => $2), ends_at = now() - make_interval(mins => $2) + interval '1 hour'
       where id = $1`,
      [session!.id, minutesAgo, control],
    );
  const idsOf = async (query: string) => (await listSessions(world, query)).map(({ id }) => id);
  expect(await idsOf('status=ended')).toEqual([first!.id]);
  expect(await idsOf('status=live')).toEqual([second!.id]);
  expect(await idsOf('status=scheduled')).toEqual([third!.id, expect.any(String)]);
  const { data } = (await world.call(`GET /sessions/${second!.id}`)).json;
  expect(data.status).toBe('live');
  expect(data.positionSeconds).toBeGreaterThanOrEqual(600);
  expect(data.positionSeconds).toBeLessThan(3600);
});
