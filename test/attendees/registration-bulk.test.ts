import { inspect } from 'node:util';
import type pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { test } from '../support/service-test.ts';
import { countRows, register, registerMany } from './registrations.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_unused, number) => ({ email: `guest${number}@example.com` }));

const statusesOf = (data: readonly { status: string }[]) => data.map(({ status }) => status);

test('each row of a batch has a result: created, existing or error, and the first row of a person counts', async ({
  service,
  world,
}) => {
  const there = await register(world, { email: 'there@example.com' });
  const { status, json } = await registerMany(world, [
    { email: 'new@example.com', name: 'First' },
    { email: 'THERE@example.com' },
    { email: 'New@example.com', name: 'Second' },
    { email: 'ada' },
    { email: 'late@example.com', sessionTime: '2099-01-01T00:00:00Z' },
    { email: 'other@example.com', sessionTime: world.webinar.sessionTime.replace('Z', '+00:00') },
  ]);
  expect(status).toBe(200);
  expect(json.data.map((row: { index: number }) => row.index)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(statusesOf(json.data)).toEqual(['created', 'existing', 'existing', 'error', 'error', 'created']);
  expect(json.summary).toEqual({ created: 2, existing: 2, failed: 2 });
  expect(json.data[0].registration).toMatchObject({ name: 'First', source: 'bulk' });
  expect(json.data[1].registration).toEqual(there.json.data);
  expect(json.data[2].registration).toEqual(json.data[0].registration);
  expect(json.data[3].error).toMatchObject({ code: 'validation_failed', issues: [{ path: 'email' }] });
  expect(json.data[4].error).toMatchObject({
    code: 'session_time_unavailable',
    details: { nearest: [world.webinar.sessionTime] },
  });
  expect(await countRows(service, world, 'attendees.registration')).toBe(3);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(3);
});

test('a row that is not an object gets an error, and a batch that is not a list of 1 to 500 rows is refused', async ({
  world: { call },
}) => {
  const post = (body: unknown) => call('POST /registrations/bulk', body);
  const odd = await post({ registrations: [null, 'x', [], 5] });
  expect([odd.status, odd.json.summary.failed]).toEqual([200, 4]);
  for (const registrations of [undefined, [], 'x', people(501), {}]) {
    const answer = await post({ registrations });
    expect([answer.status, answer.json.issues]).toMatchObject([422, [{ path: 'registrations' }]]);
  }
  const extra = await post({ registrations: people(1), rows: [] });
  expect(extra.json.issues).toEqual([{ path: 'rows', message: 'Unknown field.' }]);
});

test('500 people need as many statements as five, and each has an event and a delivery', async ({
  service,
  world,
}) => {
  await world.call('POST /webhooks', { url: 'http://127.0.0.1:9/', eventTypes: ['registered'] });
  // Counting places must not need a statement per row either.
  await world.call('PATCH ', { registrationForm: { capacityPerSession: 505 } });
  let statements = 0;
  const pool: pg.Pool = await service.api.service.database.orm.em.getConnection().getNativeClient();
  pool.on('acquire', (connection) => {
    const { query } = connection;
    connection.query = ((...asked: Parameters<typeof query>) => {
      // Notifications are gathered for a time, so two calls may share one.
      if (!inspect(asked[0]).includes('pg_notify')) statements += 1;
      return query.apply(connection, asked);
    }) as typeof query;
    pool.once('release', () => (connection.query = query));
  });
  const countStatements = async (rows: readonly object[]): Promise<number> => {
    statements = 0;
    const { json } = await registerMany(world, rows);
    expect(json.summary).toEqual({ created: rows.length, existing: 0, failed: 0 });
    return statements;
  };
  const few = await countStatements(people(505).slice(500));
  expect(few).toBeGreaterThan(8);
  expect(await countStatements(people(500))).toBe(few);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(505);
  expect(await countRows(service, world, 'deliveries.delivery')).toBe(505);
});

test('concurrent batches and single calls with the same people register each person once', async ({
  service,
  world,
}) => {
  const rows = people(400);
  const [batches, singles] = await Promise.all([
    Promise.all(
      [rows, rows.toReversed(), rows.slice(10), rows].map((batch) =>
        eventually('a place for the batch', async () => {
          const answer = await registerMany(world, batch);
          return answer.status !== 429 && answer;
        }),
      ),
    ),
    Promise.all(rows.slice(0, 40).map((row) => register(world, row))),
  ]);
  expect(batches.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const created =
    batches.reduce((sum, { json }) => sum + json.summary.created, 0) +
    singles.filter(({ status }) => status === 201).length;
  expect(created).toBe(rows.length);
  expect(batches.map(({ json }) => json.summary.failed)).toEqual([0, 0, 0, 0]);
  const ids = new Set([
    ...singles.map(({ json }) => json.data.id),
    ...batches.flatMap(({ json }) =>
      json.data.map((row: { registration: { id: string } }) => row.registration.id),
    ),
  ]);
  expect(ids.size).toBe(rows.length);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(rows.length);
});
