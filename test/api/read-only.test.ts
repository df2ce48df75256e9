import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { configureDatabase } from '../support/configure-database.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';

let service: TestApi;
let world: TestWorld;
let dashboard: DashboardClient;
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
  dashboard = await openDashboard(service, world);
});
afterAll(() => service[Symbol.asyncDispose]());

async function call(method: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify({ title: 'Made' }) }),
  });
  const json = (await response.json()) as { code?: string };
  return { status: response.status, code: json.code, headers: response.headers };
}

test('while the database is read-only, reads are answered and writes are 503 with Retry-After', async () => {
  await configureDatabase(service.db, 'set default_transaction_read_only = on');
  await eventually('new connections', async () => (await call('GET', '/api/v1/webinars')).status === 200);
  const read = await call('GET', '/api/v1/webinars');
  expect([read.status, Number(read.headers.get('x-ratelimit-remaining'))]).toEqual([200, 999_999]);
  expect((await call('GET', '/readyz')).status).toBe(200);
  expect(await dashboard.query('webinars.list', {})).toHaveLength(1);
  expect((await call('GET', '/api/v1/webinars', { Authorization: 'Bearer svc_live_none' })).status).toBe(401);

  for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
    const write = await call('POST', '/api/v1/webinars', headers as Record<string, string>);
    expect([write.status, write.code]).toEqual([503, 'writes_unavailable']);
    expect(Number(write.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await expect(dashboard.mutate('webinars.create', { title: 'Made' })).rejects.toMatchObject({
    message: 'writes_unavailable',
    status: 503,
  });

  await configureDatabase(service.db, 'reset default_transaction_read_only');
  await eventually(
    'a write',
    async () => (await call('POST', '/api/v1/webinars', { 'Idempotency-Key': 'once' })).status === 201,
  );
});
