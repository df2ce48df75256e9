import { get as httpGet } from 'node:http';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { testApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { ownAddress } from '../support/own-address.ts';

const token = 'metrics-token-of-a-test';
const address = ownAddress();

const portOf = (baseUrl: string): string => new URL(baseUrl).port;

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(url, { headers })).status;
}

/** fetch does not let a test choose the Host header. */
const statusWithHost = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpGet(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });

test('an API that listens on localhost answers both loopback addresses and no other address of the machine', async () => {
  await using service = await testApi({ options: { hosts: ['localhost'] } });
  expect(service.api.addresses[0]).toBe('127.0.0.1');
  for (const listened of service.api.addresses) expect(['127.0.0.1', '::1']).toContain(listened);
  const port = portOf(service.baseUrl);
  for (const listened of service.api.addresses) {
    const host = listened.includes(':') ? `[${listened}]` : listened;
    expect(await statusOf(`http://${host}:${port}/healthz`)).toBe(200);
  }
  expect(await statusOf(`${service.baseUrl}/healthz`)).toBe(200);
  if (address) await expect(fetch(`http://${address}:${port}/healthz`)).rejects.toThrow('fetch failed');
});

test('without hosts an API listens on all interfaces, as production does', async () => {
  await using service = await testApi();
  expect(['::', '0.0.0.0']).toContain(service.api.addresses[0]);
  if (address) expect(await statusOf(`http://${address}:${portOf(service.baseUrl)}/healthz`)).toBe(200);
});

test('a host that this machine does not have stops the start and leaves no connection open', async () => {
  await using db = await testDatabase();
  await expect(testApi({ shared: db, options: { hosts: ['127.0.0.1', '203.0.113.77'] } })).rejects.toThrow(
    /EADDRNOTAVAIL.*203\.0\.113\.77/,
  );
});

test('without a token only a direct caller on this machine reads the metrics; probes stay open', async () => {
  await using service = await testApi({ options: { trustedProxies: ['loopback'] } });
  const url = `${service.baseUrl}/metrics`;
  expect(await statusOf(url)).toBe(200);
  // As proxies on this machine pass on the requests of strangers, trusted or not.
  const proxied: Record<string, string>[] = [
    { 'X-Forwarded-For': '203.0.113.9' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { 'X-Real-IP': '127.0.0.1' },
    { Forwarded: 'for=127.0.0.1' },
    { Via: '1.1 proxy' },
  ];
  for (const headers of proxied) expect(await statusOf(url, headers), JSON.stringify(headers)).toBe(403);
  expect(await statusWithHost(url, 'webinars.example.com')).toBe(403);
  expect(await (await fetch(url, { headers: { Via: '1.1 proxy' } })).json()).toEqual({
    code: 'loopback_only',
    message: expect.stringContaining('METRICS_TOKEN'),
  });
  if (!address) return;
  const elsewhere = `http://${address}:${portOf(service.baseUrl)}`;
  expect(await statusOf(`${elsewhere}/metrics`)).toBe(403);
  expect(await statusOf(`${elsewhere}/healthz`)).toBe(200);
  expect(await statusOf(`${elsewhere}/readyz`)).toBe(200);
});

test('with a token its bearer reads the metrics from anywhere, and no other caller does', async () => {
  await using service = await testApi({ options: { metricsToken: token } });
  const urls = [service.baseUrl, ...(address ? [`http://${address}:${portOf(service.baseUrl)}`] : [])];
  for (const url of urls.map((origin) => `${origin}/metrics`)) {
    const refused = await fetch(url);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    for (const wrong of [token, `Bearer ${token}x`, 'Bearer ', `Basic ${token}`])
      expect(await statusOf(url, { Authorization: wrong }), wrong).toBe(401);
    expect(await statusOf(url, { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' })).toBe(
      200,
    );
  }
});

test('only operators see why an API is not ready', async () => {
  await using service = await testApi({ options: { metricsToken: token } });
  await service.db.database.pool.query('alter table public.migration rename to migration_away');
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${service.baseUrl}/readyz`, { headers });
    return [answer.status, ((await answer.json()) as { status: string }).status];
  };
  expect(await ask({})).toEqual([503, 'not ready']);
  expect(await ask({ Authorization: `Bearer ${token}` })).toEqual([
    503,
    expect.not.stringMatching('not ready'),
  ]);
});

test('an X-Forwarded-For of an untrusted peer is logged as a warning once, and one of a trusted proxy never', async () => {
  for (const { trustedProxies, warnings } of [
    { trustedProxies: [], warnings: 1 },
    { trustedProxies: ['loopback'], warnings: 0 },
  ]) {
    const lines: string[] = [];
    const log = createLog('test', { level: 'warn', destination: { write: (line) => lines.push(line) } });
    await using service = await testApi({ options: { trustedProxies, log } });
    for (let request = 0; request < 3; request += 1)
      await statusOf(`${service.baseUrl}/healthz`, { 'X-Forwarded-For': '203.0.113.9' });
    expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(warnings);
  }
});
