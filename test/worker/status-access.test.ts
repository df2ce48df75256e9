import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ownAddress } from '../support/own-address.ts';
import { testWorker, type TestWorker } from '../support/worker.ts';

const token = 'metrics-token-of-a-test';
const address = ownAddress();

/** A call of a worker's status server under one of its hosts. */
async function get({ port }: TestWorker, path: string, { host = '127.0.0.1', headers = {} } = {}) {
  const answer = await fetch(`http://${host}:${port}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

test("without a token a worker's metrics are readable from this machine only, and its probes from everywhere", async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url);
  expect((await get(worker, '/metrics')).text).toContain('delivery_in_flight');
  const proxied = await get(worker, '/metrics', { headers: { 'X-Forwarded-For': '127.0.0.1' } });
  expect([proxied.status, JSON.parse(proxied.text).code]).toEqual([403, 'loopback_only']);
  if (!address) return;
  expect((await get(worker, '/metrics', { host: address })).status).toBe(403);
  expect((await get(worker, '/healthz', { host: address })).status).toBe(200);
});

test('with the token a caller reads the metrics and the reason why a worker is not ready', async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url, { metricsToken: token });
  const headers = { Authorization: `Bearer ${token}` };
  expect((await get(worker, '/metrics')).status).toBe(401);
  expect((await get(worker, '/metrics', { headers })).status).toBe(200);
  await db.database.pool.query('alter table public.migration rename to migration_away');
  await eventually('the worker not to be ready', async () => (await get(worker, '/readyz')).status === 503);
  expect(JSON.parse((await get(worker, '/readyz')).text)).toEqual({ status: 'not ready' });
  expect(JSON.parse((await get(worker, '/readyz', { headers })).text).status).not.toBe('not ready');
});

test('a worker with configured hosts is reached under these hosts only', async () => {
  await using db = await testDatabase();
  await using worker = await testWorker(db.url, { hosts: ['localhost'] });
  expect(worker.addresses[0]).toBe('127.0.0.1');
  expect((await get(worker, '/healthz')).status).toBe(200);
  if (address) await expect(get(worker, '/healthz', { host: address })).rejects.toThrow('fetch failed');
});
