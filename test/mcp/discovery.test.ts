// A client drops its configured key when it finds an authorization server. So nothing at /mcp leads to that of /mcp/connect.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { postMcp } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Paths that clients try for a server at /mcp: RFC 9728, RFC 8414, OpenID Connect Discovery, and the endpoints of version 2025-03-26. */
const probes = [
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource/mcp/readonly',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-authorization-server/mcp',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/openid-configuration/mcp',
  'GET /mcp/.well-known/oauth-protected-resource',
  'GET /mcp/.well-known/oauth-authorization-server',
  'GET /mcp/.well-known/openid-configuration',
  'GET /.well-known/openid-configuration/oauth',
  'GET /oauth/.well-known/openid-configuration',
  'GET /oauth',
  'GET /.well-known/mcp.json',
  'POST /register',
  'POST /token',
];

test.each(probes)('%s is answered 404 as JSON without a hint', async (probe) => {
  const [method, path] = probe.split(' ') as [string, string];
  for (const headers of [{}, { Accept: 'text/html' }, { Authorization: `Bearer ${world.key}` }]) {
    const answer = await fetch(`${service.baseUrl}${path}`, { method, headers, redirect: 'manual' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
    const { code, message } = (await answer.json()) as Record<string, string>;
    expect([code, message]).toEqual(['not_found', 'Not found.']);
    expect([...answer.headers.keys()].filter((name) => /authenticate|link|location/.test(name))).toEqual([]);
  }
});

test('a refusal at /mcp names the scheme and nothing else', async () => {
  for (const key of [undefined, 'svc_live_unknown']) {
    const refused = await postMcp(service, '{}', { key });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(refused.text).not.toMatch(/oauth|connect|metadata/i);
  }
});

const info = { name: 'test', version: '1.0.0' };

/** A client that can sign in with OAuth. It fails the test when it is led to an authorization server. */
function createProvider() {
  const opened: string[] = [];
  const provider = {
    redirectUrl: 'http://localhost/callback',
    clientMetadata: { client_name: 'Test', redirect_uris: ['http://localhost/callback'] },
    clientInformation: () => undefined,
    saveClientInformation: () => undefined,
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (url: URL) => void opened.push(url.href),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => 'verifier',
  };
  return { provider, opened };
}

/** Connects with a key and a provider, through a fetch that records the requests. */
async function connect(kind: 'SDK 1' | 'SDK 2', key: string) {
  const requests: { route: string; status: number }[] = [];
  const { provider, opened } = createProvider();
  const options = {
    authProvider: provider,
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    async fetch(url: string | URL, init?: RequestInit) {
      const answer = await fetch(url, init);
      requests.push({ route: `${init?.method ?? 'GET'} ${new URL(url).pathname}`, status: answer.status });
      return answer;
    },
  };
  const url = new URL(`${service.baseUrl}/mcp`);
  const client = kind === 'SDK 1' ? new Client(info) : new ModernClient(info);
  const transport =
    kind === 'SDK 1' ? new StreamableHTTPClientTransport(url, options) : new ModernTransport(url, options);
  const failure = await client.connect(transport as never).then(
    () => undefined,
    (error: unknown) => error,
  );
  const tools = failure ? 0 : (await client.listTools()).tools.length;
  await client.close();
  return { requests, opened, failure, tools };
}

test.each(['SDK 1', 'SDK 2'] as const)(
  'a client of %s that could sign in uses its configured key, and asks for nothing else',
  async (kind) => {
    const { requests, opened, tools } = await connect(kind, world.key);
    expect(tools).toBeGreaterThan(30);
    expect(new Set(requests.map(({ route }) => route.split(' ')[1]))).toEqual(new Set(['/mcp']));
    expect(opened).toEqual([]);
  },
);

test.each(['SDK 1', 'SDK 2'] as const)(
  'a client of %s with a revoked key looks for an authorization server and finds none',
  async (kind) => {
    const { requests, opened, failure } = await connect(kind, `svc_live_${'0'.repeat(32)}`);
    expect(failure).toBeInstanceOf(Error);
    expect(opened).toEqual([]);
    const tried = requests.filter(({ route }) => !route.endsWith(' /mcp'));
    expect(tried.length).toBeGreaterThanOrEqual(4);
    for (const { route, status } of tried) {
      expect(probes).toContain(route);
      expect(status, route).toBe(404);
    }
  },
);
