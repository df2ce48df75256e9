// Storage that kept answers cost: compressed, counted for each account, and bounded.
import { deleteExpiredAnswers } from '@service/idempotency';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  world = await createTestWorld(service);
});

const query = async (text: string, values: unknown[] = [world.accountId]) =>
  (await service.db.database.pool.query(text, values)).rows;

const write = (route: string, idempotencyKey: string, body?: unknown) =>
  callRest(service, route, { key: world.key, body, headers: { 'Idempotency-Key': idempotencyKey } });

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Person ${index}`,
    email: `person-${index}@example.com`,
    sessionTime: world.webinar.sessionTime,
  }));

const bulk = (): string => `POST /webinars/${world.webinar.id}/registrations/bulk`;

const keptBytes = async (): Promise<number> =>
  Number((await query('select sum(bytes) from idempotency.kept_bytes where account_id = $1'))[0].sum);

test('the answer to a bulk call is kept in a fifth of its size, and is given again to the byte', async () => {
  const first = await write(bulk(), 'bulk', { registrations: people(500) });
  const unchanged = await write(bulk(), 'unchanged', { registrations: people(500) });
  expect([first.status, unchanged.status]).toEqual([200, 200]);
  expect(unchanged.json.summary).toEqual({ created: 0, existing: 500, failed: 0 });
  const [row] = await query(
    `select pg_column_size(sealed) as stored, bytes from idempotency.kept_answer
     where account_id = $1 and key = 'unchanged'`,
  );
  expect(row.stored * 5).toBeLessThan(Buffer.byteLength(unchanged.text));
  expect(row.bytes).toBeGreaterThan(row.stored);
  const again = await write(bulk(), 'unchanged', { registrations: people(500) });
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([unchanged.text, 'true']);
});

test('an account with full storage may write without a key and get kept answers, but keeps no more', async () => {
  const first = await write('POST /webinars', 'kept', { title: 'Kept' });
  await query(
    `insert into idempotency.kept_bytes (account_id, slot, bytes) values ($1, 0, 256 * 1024 * 1024)
     on conflict (account_id, slot) do update set bytes = excluded.bytes returning 1`,
  );
  const refused = await write('POST /webinars', 'more', { title: 'Refused' });
  expect([refused.status, refused.json.code]).toEqual([429, 'idempotency_storage_full']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const again = await write('POST /webinars', 'kept', { title: 'Kept' });
  expect([again.status, again.text]).toEqual([201, first.text]);
  const unkeyed = await callRest(service, 'POST /webinars', { key: world.key, body: { title: 'Unkeyed' } });
  expect(unkeyed.status).toBe(201);
  const titles = (await callRest(service, 'GET /webinars', { key: world.key })).json.data.map(
    ({ title }: { title: string }) => title,
  );
  expect(titles).toEqual(['Unkeyed', 'Kept', 'Launch']);

  const other = await createTestWorld(service);
  const answer = await callRest(service, 'POST /webinars', {
    key: other.key,
    body: { title: 'Other' },
    headers: { 'Idempotency-Key': 'more' },
  });
  expect(answer.status).toBe(201);
});

test('the counted bytes are the kept bytes, also after many writes at once and after the sweep', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      write('POST /webinars', `many-${index}`, { title: `T${index}` }),
    ),
  );
  const [kept] = await query(
    'select sum(bytes)::int as bytes, count(*)::int as count from idempotency.kept_answer where account_id = $1',
  );
  expect(kept.count).toBe(40);
  expect(await keptBytes()).toBe(kept.bytes);

  const pool = service.db.database.pool;
  await query(
    `update idempotency.kept_answer set created_at = created_at - interval '2 days'
     where account_id = $1 and key like 'many-1%' returning 1`,
  );
  await deleteExpiredAnswers(pool, { now: new Date(), windowHours: 24 });
  const [left] = await query(
    'select sum(bytes)::int as bytes, count(*)::int as count from idempotency.kept_answer where account_id = $1',
  );
  expect(left.count).toBe(29);
  expect(await keptBytes()).toBe(left.bytes);

  // A count that has gone wrong is put right.
  await query('update idempotency.kept_bytes set bytes = 7 where account_id = $1 and slot = 0 returning 1');
  await deleteExpiredAnswers(pool, { now: new Date(), windowHours: 24 });
  expect(await keptBytes()).toBe(left.bytes);
});
