import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ownAddress } from '../support/own-address.ts';
import { testWorker } from '../support/worker.ts';

const token = 'metrics-token-of-a-test';
const address = ownAddress();

interface RequestOptions {
  host?: string;
  headers?: Record<string, string>;
}

async function startWorkerWith(databaseUrl: string, options: { hosts?: string[]; metricsToken?: string }) {
  const worker = await testWorker(databaseUrl, { webhookTimeoutMs: 100, ...options });
  return {
    addresses: worker.addresses,
    async get(path: string, { host = '127.0.0.1', headers = {} }: RequestOptions = {}) {
      const answer = await fetch(`http://${host}:${worker.port}${path}`, { headers });
      return { status: answer.status, text: await answer.text() };
    },
    [Symbol.asyncDispose]: () => worker.close(),
  };
}

test("without a token a worker's metrics are readable from this machine only, and its probes from everywhere", async () => {
  await using db = await testDatabase();
  await using worker = await startWorkerWith(db.url, {});
  expect((await worker.get('/metrics')).text).toContain('delivery_in_flight');
  const proxied = await worker.get('/metrics', { headers: { 'X-Forwarded-For': '127.0.0.1' } });
  expect([proxied.status, JSON.parse(proxied.text).code]).toEqual([403, 'loopback_only']);
  if (!address) return;
  expect((await worker.get('/metrics', { host: address })).status).toBe(403);
  expect((await worker.get('/healthz', { host: address })).status).toBe(200);
});

test('with the token a caller reads the metrics and the reason why a worker is not ready', async () => {
  await using db = await testDatabase();
  await using worker = await startWorkerWith(db.url, { metricsToken: token });
  const headers = { Authorization: `Bearer ${token}` };
  expect((await worker.get('/metrics')).status).toBe(401);
  expect((await worker.get('/metrics', { headers })).status).toBe(200);
  await db.database.pool.query('alter table public.migration rename to migration_away');
  await eventually('the worker not to be ready', async () => (await worker.get('/readyz')).status === 503);
  expect(JSON.parse((await worker.get('/readyz')).text)).toEqual({ status: 'not ready' });
  expect(JSON.parse((await worker.get('/readyz', { headers })).text).status).not.toBe('not ready');
});

test('a worker with configured hosts is reached under these hosts only', async () => {
  await using db = await testDatabase();
  await using worker = await startWorkerWith(db.url, { hosts: ['localhost'] });
  expect(worker.addresses[0]).toBe('127.0.0.1');
  expect((await worker.get('/healthz')).status).toBe(200);
  if (address) await expect(worker.get('/healthz', { host: address })).rejects.toThrow('fetch failed');
});
