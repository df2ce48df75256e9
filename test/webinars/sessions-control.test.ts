import { expect, test } from 'vitest';
import { callRest, codeOf, createTestWorld, inMinutes, scheduleAt, testApi } from '../support/api.ts';
import { register } from '../attendees/registrations.ts';
import { listSessions, publish } from './session-world.ts';

test('an API-controlled session changes by calls only, and each status refuses actions that do not fit', async () => {
  await using service = await testApi();
  const world = await publish(service, scheduleAt(inMinutes(60)), { durationSeconds: 600 });
  const { key, webinar } = world;
  const sessionTime = inMinutes(5);
  const made = await callRest(service, `POST /webinars/${webinar.id}/sessions`, {
    key,
    body: { startsAt: sessionTime, control: 'api' },
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${webinar.id}/sessions/${made.json.data.id}`);
  expect(made.json.data).toMatchObject({
    kind: 'scheduled',
    control: 'api',
    status: 'scheduled',
    startsAt: sessionTime,
    recurrenceKey: null,
    positionSeconds: 0,
    registrationCount: 0,
  });
  await register(service, world, { sessionTime });

  const at = `/webinars/${webinar.id}/sessions/${made.json.data.id}`;
  const move = (body: object) => callRest(service, `POST ${at}/progress`, { key, body });
  const reset = () => callRest(service, `POST ${at}/reset`, { key });
  const conflict = [409, 'session_state_conflict'];

  for (const body of [{ action: 'seek', positionSeconds: 1 }, { action: 'end' }]) {
    const refused = await move(body);
    expect(codeOf(refused)).toEqual(conflict);
    expect(refused.json.details).toEqual({ status: 'scheduled' });
  }
  expect((await move({ action: 'start' })).json.data).toMatchObject({
    status: 'live',
    actualStartedAt: expect.any(String),
  });
  expect(codeOf(await move({ action: 'start' }))).toEqual(conflict);
  expect(codeOf(await register(service, world, { sessionTime, email: 'late@example.com' }))).toEqual([
    422,
    'session_time_unavailable',
  ]);
  expect((await move({ action: 'seek', positionSeconds: 600 })).json.data.positionSeconds).toBe(600);
  expect((await move({ action: 'seek', positionSeconds: 601 })).status).toBe(422);
  expect((await move({ action: 'seek' })).json.issues).toMatchObject([{ path: 'positionSeconds' }]);
  expect((await move({ action: 'end', positionSeconds: 3 })).json.issues).toMatchObject([
    { path: 'positionSeconds' },
  ]);
  const segmentId = '0193e3a0-0000-7000-8000-000000000000';
  expect(codeOf(await move({ action: 'advance', segmentId }))).toEqual([409, 'session_has_no_segments']);
  expect((await move({ action: 'end' })).json.data).toMatchObject({
    status: 'ended',
    positionSeconds: 600,
    actualEndedAt: expect.any(String),
  });
  for (const body of [{ action: 'start' }, { action: 'seek', positionSeconds: 1 }, { action: 'end' }])
    expect(codeOf(await move(body))).toEqual(conflict);
  const { json } = await reset();
  expect(json.data).toEqual({ ...made.json.data, registrationCount: 1 });
  expect((await register(service, world, { sessionTime, email: 'late@example.com' })).status).toBe(201);
});

test('of two concurrent starts one succeeds', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/sessions`, {
    key,
    body: { startsAt: inMinutes(5), control: 'api' },
  });
  const path = `POST /webinars/${webinar.id}/sessions/${json.data.id}/progress`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => callRest(service, path, { key, body: { action: 'start' } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('progress of a clock session, a taken start and a start in the past are refused', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}/sessions`;
  const [session] = (await callRest(service, `GET ${at}`, { key })).json.data;
  for (const [verb, body] of [['reset'], ['progress', { action: 'start' }]] as const) {
    expect(codeOf(await callRest(service, `POST ${at}/${session.id}/${verb}`, { key, body }))).toEqual([
      409,
      'session_not_api_controlled',
    ]);
  }
  const make = (startsAt: string) =>
    callRest(service, `POST ${at}`, { key, body: { startsAt, control: 'api' } });
  expect(codeOf(await make(webinar.sessionTime))).toEqual([409, 'session_exists']);
  expect((await make(inMinutes(-5))).json.issues).toMatchObject([{ path: 'startsAt' }]);
  const clock = { startsAt: inMinutes(5), control: 'clock' };
  expect((await callRest(service, `POST ${at}`, { key, body: clock })).status).toBe(422);
});

test('a clock session starts and ends by the clock, and an API-controlled one waits for calls', async () => {
  await using service = await testApi();
  const world = await publish(service, scheduleAt(inMinutes(60)));
  const { key, webinar } = world;
  for (const minutes of [1, 2, 3]) {
    await callRest(service, `POST /webinars/${webinar.id}/sessions`, {
      key,
      body: { startsAt: inMinutes(minutes), control: 'api' },
    });
  }
  // Sets the starts into the past. The third session is still API-controlled.
  const [third, second, first] = await listSessions(service, world);
  const { pool } = service.db.database;
  const move = (session: typeof first, minutesAgo: number, control: string) =>
    pool.query(
      `update webinars.session set control = $3,
         starts_at = now() - make_interval(mins => $2), ends_at = now() - make_interval(mins => $2) + interval '1 hour'
       where id = $1`,
      [session!.id, minutesAgo, control],
    );
  await move(first, 90, 'clock');
  await move(second, 10, 'clock');
  await move(third, 20, 'api');

  const idsOf = async (query: string) => (await listSessions(service, world, query)).map(({ id }) => id);
  expect(await idsOf('status=ended')).toEqual([first!.id]);
  expect(await idsOf('status=live')).toEqual([second!.id]);
  expect(await idsOf('status=scheduled')).toEqual([third!.id, expect.any(String)]);
  const shown = await callRest(service, `GET /webinars/${webinar.id}/sessions/${second!.id}`, { key });
  expect(shown.json.data.status).toBe('live');
  expect(shown.json.data.positionSeconds).toBeGreaterThanOrEqual(600);
  expect(shown.json.data.positionSeconds).toBeLessThan(3600);
});
