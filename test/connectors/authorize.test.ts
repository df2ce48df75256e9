// GET /oauth/authorize: what it refuses, and where the browser goes.
import { allScopes } from '@service/catalogue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import type { DashboardClient } from '../support/dashboard.ts';
import { createConnectorsWorld } from './connectors-world.ts';
import {
  authorize,
  createAttempt,
  readJson,
  redirectUri,
  registerClient,
  requestOf,
} from './oauth-client.ts';

let service: TestApi;
let dashboard: DashboardClient;
let clientId: string;
beforeAll(async () => {
  ({ service, dashboard, clientId } = await createConnectorsWorld());
});
afterAll(() => service[Symbol.asyncDispose]());

const issuer = () => `${service.baseUrl}/oauth`;
const ask = (changes: Record<string, string | undefined>) =>
  authorize(service, createAttempt(service, clientId, changes).parameters);

test('the metadata of the resource and of its authorization server name each other and all endpoints', async () => {
  const wellKnown = async (path: string) => readJson(await fetch(`${service.baseUrl}/.well-known/${path}`));
  const resource = await wellKnown('oauth-protected-resource/mcp/connect');
  expect(resource.json).toMatchObject({
    resource: `${service.baseUrl}/mcp/connect`,
    authorization_servers: [issuer()],
    scopes_supported: allScopes,
    bearer_methods_supported: ['header'],
  });
  const server = await wellKnown('oauth-authorization-server/oauth');
  expect(server.json).toMatchObject({
    issuer: issuer(),
    authorization_endpoint: `${issuer()}/authorize`,
    token_endpoint: `${issuer()}/token`,
    registration_endpoint: `${issuer()}/register`,
    revocation_endpoint: `${issuer()}/revoke`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    protected_resources: [`${service.baseUrl}/mcp/connect`],
  });
  expect(server.headers.get('access-control-allow-origin')).toBe('*');
  expect(server.headers.get('content-type')).toBe('application/json');
  // SDK 1.15 inserts the path of the resource.
  expect((await wellKnown('oauth-authorization-server/mcp/connect')).json).toEqual(server.json);
});

test('a complete request leads to the consent page, which shows the client and its wishes', async () => {
  const { status, location, headers } = await ask({ scope: 'webinars:read sessions:read' });
  expect([status, location?.origin, location?.pathname]).toEqual([302, service.baseUrl, '/connect']);
  expect(headers.get('cache-control')).toBe('no-store');
  const request = location!.searchParams.get('request')!;
  expect(await dashboard.query('connectors.request', { request })).toEqual({
    clientName: 'Test assistant',
    clientHost: null,
    redirectHost: '127.0.0.1',
    isLocal: true,
    scopes: ['webinars:read', 'sessions:read'],
    expiresAt: expect.any(String),
    earlier: { connections: 0, lastUsedAt: null },
  });
});

test.each([
  ['scope', undefined],
  ['scope', 'offline_access'],
])('a request with the %s %s asks for all scopes', async (name, value) => {
  const attempt = createAttempt(service, clientId, { [name]: value });
  const { scopes } = await dashboard.query('connectors.request', {
    request: await requestOf(service, attempt),
  });
  expect(scopes).toEqual(allScopes);
});

test.each(['slash', 'missing', 'upper-case host'])(
  'the resource may be written with: %s',
  async (spelling) => {
    const resource = `${service.baseUrl}/mcp/connect`;
    const spellings: Record<string, string | undefined> = {
      slash: `${resource}/`,
      missing: undefined,
      'upper-case host': resource.replace('localhost', 'LOCALHOST'),
    };
    expect((await ask({ resource: spellings[spelling] })).location?.pathname).toBe('/connect');
  },
);

test.each<[string, Record<string, string | undefined>]>([
  ['no client', { client_id: undefined }],
  ['an unknown client', { client_id: '01a1fa00-44e8-743f-b362-6e80fc279e81' }],
  ['a client id that is no id', { client_id: "x' or 1=1 --" }],
  ['a client id with NUL', { client_id: '\0' }],
  ['no redirect URI', { redirect_uri: undefined }],
  ['another host', { redirect_uri: 'https://evil.example/callback' }],
  ['another path', { redirect_uri: 'http://127.0.0.1:33418/other' }],
  ['a longer path', { redirect_uri: `${redirectUri}/more` }],
  ['a further query', { redirect_uri: `${redirectUri}?next=1` }],
  ['a script', { redirect_uri: 'javascript:alert(1)' }],
])('with %s the browser stays on a page of this host', async (_title, changes) => {
  const { status, location, headers, page } = await ask(changes);
  expect([status, location]).toEqual([400, undefined]);
  expect(headers.get('content-type')).toContain('text/html');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page).toContain('The client cannot be connected');
});

test('a client that asks for JSON gets the refusal as an error of OAuth, and a browser gets the page', async () => {
  const { parameters } = createAttempt(service, '01a1fa00-44e8-743f-b362-6e80fc279e81');
  const ask = (Accept: string) => authorize(service, parameters, { Accept });
  const { status, page } = await ask('application/json');
  expect([status, JSON.parse(page).error]).toEqual([400, 'invalid_client']);
  const browser = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
  expect(browser.headers.get('content-type')).toContain('text/html');
});

test('the page of a refusal shows the name of a client as text', async () => {
  const named = await registerClient(service, { client_name: '<img src=x onerror=alert(1)>' });
  const { page } = await ask({ client_id: named, redirect_uri: 'https://evil.example/' });
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toContain('<img');
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no response type', { response_type: undefined }, 'invalid_request'],
  ['a fragment as answer', { response_mode: 'fragment' }, 'invalid_request'],
  ['no code challenge', { code_challenge: undefined }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
  ['a challenge of another form', { code_challenge: 'short' }, 'invalid_request'],
  ['an unknown scope', { scope: 'webinars:read admin' }, 'invalid_scope'],
  ['another resource', { resource: 'https://other.example/mcp/connect' }, 'invalid_target'],
])('with %s the client gets the error, its state and the issuer', async (_title, changes, error) => {
  const { status, location } = await ask(changes);
  expect(status).toBe(302);
  expect(`${location!.origin}${location!.pathname}`).toBe(redirectUri);
  expect(location!.searchParams.get('error')).toBe(error);
  expect(location!.searchParams.get('state')).toBe('state-1');
  expect(location!.searchParams.get('iss')).toBe(issuer());
});

test('a token cannot be asked for the address for keys', async () => {
  const { location } = await ask({ resource: `${service.baseUrl}/mcp` });
  expect(location!.searchParams.get('error')).toBe('invalid_target');
});

test('a parameter that is sent twice is refused: of two values a check may see one and the client the other', async () => {
  const { parameters } = createAttempt(service, clientId);
  for (const name of ['client_id', 'redirect_uri', 'state', 'code_challenge', 'scope']) {
    const repeated = new URLSearchParams(parameters);
    repeated.append(name, 'other');
    const { location, page } = await authorize(service, repeated);
    const text = location?.searchParams.get('error_description') ?? page;
    expect(text, name).toContain(`${name} is repeated`);
  }
});

test('a native client may listen on any port of its loopback address, and gets the answer there', async () => {
  const port = 'http://127.0.0.1:59999/callback';
  const { location } = await ask({ redirect_uri: port, response_type: 'token' });
  expect(location!.href.startsWith(`${port}?error=`)).toBe(true);
});

test('a request stores nothing', async () => {
  const count = async () => (await service.db.database.pool.query('select * from connectors.grant')).rowCount;
  const before = await count();
  for (let index = 0; index < 5; index += 1) await ask({});
  expect(await count()).toBe(before);
});

test('other methods and unknown paths of the issuer are refused in JSON', async () => {
  const { baseUrl } = service;
  const posted = await fetch(`${baseUrl}/oauth/authorize`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  const read = await fetch(`${baseUrl}/oauth/token`);
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  const unknown = await fetch(`${baseUrl}/oauth/userinfo`);
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
    404,
    'application/json; charset=utf-8',
  ]);
});

test('one address cannot ask without end, and gets a page with the time to wait', async () => {
  await using own = await testApi({ shared: service.db });
  const { parameters } = createAttempt(own, clientId);
  const answers = await Promise.all(Array.from({ length: 70 }, () => authorize(own, parameters)));
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.page).toContain('Too many requests');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
