import { idTime } from '@service/database';
import { expect, test } from 'vitest';
import { startApiProcess, type ApiProcess } from '../support/api-process.ts';
import { callRest, createTestWorld, inMinutes, scheduleAt, testApi, type TestApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';

const dayMs = 86_400_000;

/** The database's time now. */
async function timeOf({ db }: TestApi): Promise<number> {
  const { rows } = await db.database.pool.query(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return rows[0].ms;
}

/** Every time that one registration leaves behind, in milliseconds by the name of its place. */
async function timesOfRegistration(
  service: TestApi,
  { baseUrl }: Pick<ApiProcess, 'baseUrl'>,
  { key, webinarId, sessionTime }: { key: string; webinarId: string; sessionTime: string },
): Promise<{ request: Record<string, number>; ids: Record<string, number> }> {
  const at = `/webinars/${webinarId}`;
  const body = { url: 'http://127.0.0.1:9/', eventTypes: ['registered'] };
  expect((await callRest({ baseUrl }, `POST ${at}/webhooks`, { key, body })).status).toBe(201);
  const attendee = { name: 'Ada', email: 'ada@example.com', sessionTime };
  const answer = await callRest({ baseUrl }, `POST ${at}/registrations`, {
    key,
    body: attendee,
    headers: { 'X-Request-Id': 'the-registration' },
  });
  expect(answer.status, answer.text).toBe(201);
  const { pool } = service.db.database;
  const [delivery] = (
    await pool.query(
      'select d.id, b.body, d.created_at from deliveries.delivery d join deliveries.body b on b.id = d.id',
    )
  ).rows;
  const [event] = (await pool.query('select id, occurred_at from attendees.attendee_event')).rows;
  const [call] = await eventually('the call in Activity', async () => {
    const { rows } = await pool.query(
      `select id from activity.api_call where request_id = 'the-registration'`,
    );
    return rows.length > 0 && rows;
  });
  const { data: registration } = answer.json;
  return {
    request: {
      registeredAt: Date.parse(registration.registeredAt),
      envelope: Date.parse(JSON.parse(delivery.body).timestamp),
      delivery: delivery.created_at.getTime(),
      event: event.occurred_at.getTime(),
      activity: idTime(call.id).getTime(),
    },
    ids: {
      registration: idTime(registration.id).getTime(),
      delivery: idTime(delivery.id).getTime(),
      event: idTime(event.id).getTime(),
    },
  };
}

test('every row of one registration carries the one time of its request', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const { sessionTime } = webinar;
  const { request } = await timesOfRegistration(service, service, {
    key,
    webinarId: webinar.id,
    sessionTime,
  });
  expect(new Set(Object.values(request)).size, JSON.stringify(request)).toBe(1);
});

for (const [words, clockAheadMs] of [
  ['a day ahead', dayMs],
  ['a day behind', -dayMs],
] as const) {
  test(`an API process whose clock is ${words} writes the times and the ids of the database, also for members, and warns`, async () => {
    await using service = await testApi();
    const account = await createTestWorld(service);
    const { key } = account;
    await using process = await startApiProcess(service.db.url, { clockAheadMs });
    const before = await timeOf(service);
    const sessionTime = inMinutes(60);
    const body = { title: 'Soon', schedule: scheduleAt(sessionTime) };
    const made = await callRest(process, 'POST /webinars', { key, body });
    expect(made.status, made.text).toBe(201);
    const { id: webinarId, createdAt } = made.json.data;
    expect((await callRest(process, `POST /webinars/${webinarId}/publish`, { key })).status).toBe(200);
    const { request, ids } = await timesOfRegistration(service, process, {
      key,
      webinarId,
      sessionTime,
    });
    const dashboard = await openDashboard(process, account);
    const byMember = await dashboard.mutate('webinars.create', body);
    const after = await timeOf(service);
    const metrics = await (await fetch(`${process.baseUrl}/metrics`)).text();
    const offsetSeconds = Number(/^clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
    expect(Math.round(offsetSeconds / 10)).toBe(clockAheadMs / 10_000);
    expect(process.logged()).toContain("clock disagrees with the database's");
    const times = {
      ...request,
      ...ids,
      createdAt: Date.parse(createdAt),
      byMember: Date.parse(byMember.createdAt),
      webinar: idTime(webinarId).getTime(),
    };
    for (const [name, ms] of Object.entries(times)) {
      // The clock that ids are made by is known to half a round trip.
      expect(ms, name).toBeGreaterThan(before - 1000);
      expect(ms, name).toBeLessThan(after + 1000);
    }
  });
}
