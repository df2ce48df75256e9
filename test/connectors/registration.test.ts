// Dynamic registration: what a client gets, what is refused, and that a flood fills nothing.
import { createModuleJobs } from '@service/composition';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, testApi, type TestApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { authorize, connect, createAttempt, redirectUri, register, registerClient } from './oauth-client.ts';

let service: TestApi;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());

const pool = () => service.db.database.pool;

test('a registration returns an id and the metadata that count here', async () => {
  const answer = await register(service, {
    client_name: '  Some\n assistant ',
    redirect_uris: [redirectUri, 'cursor://anysphere.cursor-retrieval/callback'],
    // The server may replace values (RFC 7591 3.2.1): every client is public.
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'refresh_token'],
    logo_uri: 'https://example.com/logo.png',
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(answer.json).toEqual({
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_id_issued_at: expect.any(Number),
    client_name: 'Some assistant',
    redirect_uris: [redirectUri, 'cursor://anysphere.cursor-retrieval/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

test.each<[string, unknown, string]>([
  ['no redirect URIs', { redirect_uris: [] }, 'invalid_redirect_uri'],
  [
    'too many redirect URIs',
    { redirect_uris: Array.from({ length: 21 }, () => redirectUri) },
    'invalid_redirect_uri',
  ],
  ['a script as redirect URI', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ['http to another machine', { redirect_uris: ['http://example.com/callback'] }, 'invalid_redirect_uri'],
  ['a name that is no text', { redirect_uris: [redirectUri], client_name: 1 }, 'invalid_client_metadata'],
  ['a name with NUL', { redirect_uris: [redirectUri], client_name: 'a\0' }, 'invalid_client_metadata'],
  [
    'another response type only',
    { redirect_uris: [redirectUri], response_types: ['token'] },
    'invalid_client_metadata',
  ],
  ['a list', [], 'invalid_client_metadata'],
  ['a large body', { redirect_uris: [redirectUri], padding: 'x'.repeat(17_000) }, 'invalid_request'],
])('a registration is refused with: %s', async (_title, metadata, error) => {
  const { status, json } = await register(service, metadata as object);
  expect([status, json.error]).toEqual([400, error]);
  expect(json.error_description).toBeTypeOf('string');
});

test('a page of a browser may register, after a preflight request', async () => {
  const preflight = await fetch(`${service.baseUrl}/oauth/register`, { method: 'OPTIONS' });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Content-Type');
  expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
});

test('a flood from one address is stopped, and other addresses go on', async () => {
  await using own = await testApi({ shared: service.db, options: { trustedProxies: ['loopback'] } });
  const registerFrom = (address: string) =>
    fetch(`${own.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    });
  const flood = await Promise.all(Array.from({ length: 40 }, () => registerFrom('203.0.113.1')));
  expect(flood.filter(({ status }) => status === 201).length).toBeLessThan(30);
  const refused = flood.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await registerFrom('203.0.113.2')).status).toBe(201);
});

test('a flood from many addresses replaces the oldest unused registrations, never a client that was approved', async () => {
  const dashboard = await openDashboard(service, await createTestAccount(service));
  const { clientId: approved } = await connect(service, dashboard);
  const unused = await registerClient(service);
  // Older than the flood also if the clock of the machine is set back meanwhile.
  await pool().query(
    `update connectors.client set expires_at = expires_at - interval '1 minute' where id = $1`,
    [unused],
  );
  await pool().query(
    `insert into connectors.client
     select gen_random_uuid(), 'Flood', array['https://example.com/'], now(), now() + interval '1 day'
     from generate_series(1, 5000)`,
  );
  const newest = await registerClient(service);
  const { rows } = await pool().query(
    `select count(*)::int as count from connectors.client where expires_at <= now() + interval '25 hours'`,
  );
  expect(rows[0].count).toBe(5000);
  const ask = async (clientId: string) =>
    (await authorize(service, createAttempt(service, clientId).parameters)).location?.pathname;
  expect(await ask(newest)).toBe('/connect');
  expect(await ask(approved)).toBe('/connect');
  expect(await ask(unused)).toBeUndefined();
});

test('an unused registration is deleted after a day, and one that was approved stays', async () => {
  const dashboard = await openDashboard(service, await createTestAccount(service));
  const { clientId: approved } = await connect(service, dashboard);
  const unused = await registerClient(service);
  await pool().query(`update connectors.client set expires_at = expires_at - interval '25 hours'`);
  const stopped = await authorize(service, createAttempt(service, unused).parameters);
  expect(stopped.page).toContain('The client is not registered here');
  const job = createModuleJobs({
    ...service.api.service,
    mailer: undefined,
    idempotencyWindowHours: 24,
    countSessionClock: () => undefined,
    purgers: [],
  }).crons.find(({ name }) => name === 'connectors.delete_expired_clients')!;
  await job.run(new Date(), { log: service.api.service.log, signal: new AbortController().signal });
  const { rows } = await pool().query('select id from connectors.client where id = any($1::uuid[])', [
    [approved, unused],
  ]);
  expect(rows).toEqual([{ id: approved }]);
});
