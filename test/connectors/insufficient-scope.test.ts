// The official clients do not refresh their tokens again and again when a tool needs a scope that they were not granted.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { connect, redirectUri, type Connection } from './oauth-client.ts';

let service: TestApi;
let dashboard: DashboardClient;
beforeAll(async () => {
  service = await testApi();
  dashboard = await openDashboard(service, await createTestAccount(service));
});
afterAll(() => service[Symbol.asyncDispose]());

/** A client that is connected already. It records its requests and the pages that it opens. */
function createConnected(kind: 'SDK 1' | 'SDK 2', connection: Connection) {
  const requests: string[] = [];
  const opened: URL[] = [];
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'SDK client', redirect_uris: [redirectUri] },
    clientInformation: () => ({ client_id: connection.clientId }),
    tokens: () => ({
      access_token: connection.accessToken,
      refresh_token: connection.refreshToken,
      token_type: 'Bearer',
      scope: 'webinars:read',
    }),
    saveTokens: () => undefined,
    redirectToAuthorization: (url: URL) => void opened.push(url),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => 'verifier',
  };
  const options = {
    authProvider: provider as never,
    async fetch(address: string | URL, init?: RequestInit) {
      const answer = await fetch(address, init);
      requests.push(`${init?.method ?? 'GET'} ${new URL(address).pathname} ${answer.status}`);
      return answer;
    },
  };
  const url = new URL(`${service.baseUrl}/mcp/connect`);
  const info = { name: 'test', version: '1' };
  const client = kind === 'SDK 1' ? new Client(info) : new ModernClient(info);
  const transport =
    kind === 'SDK 1' ? new StreamableHTTPClientTransport(url, options) : new ModernTransport(url, options);
  return {
    requests,
    opened,
    connect: () => client.connect(transport),
    create: () => client.callTool({ name: 'create_webinar', arguments: { title: 'New' } }),
    close: () => client.close(),
  };
}

/** The answers to a call of a tool without its scope. */
async function callWithoutScope(kind: 'SDK 1' | 'SDK 2') {
  const connection = await connect(service, dashboard, { scopes: ['webinars:read'] });
  const client = createConnected(kind, connection);
  await client.connect();
  client.requests.length = 0;
  await expect(client.create()).rejects.toThrow();
  await client.close();
  return { ...client, posts: client.requests.filter((request) => request.startsWith('POST ')) };
}

test('the client of SDK 2 opens the consent page once, with the scope beside those that it has', async () => {
  const { posts, opened } = await callWithoutScope('SDK 2');
  expect(posts).toEqual(['POST /mcp/connect 403']);
  expect(opened.map(({ pathname, searchParams }) => [pathname, searchParams.get('scope')])).toEqual([
    ['/oauth/authorize', 'webinars:read webinars:write'],
  ]);
});

test('the client of SDK 1 refreshes its token once and then fails with the 403', async () => {
  const { posts, opened } = await callWithoutScope('SDK 1');
  expect(posts).toEqual(['POST /mcp/connect 403', 'POST /oauth/token 200', 'POST /mcp/connect 403']);
  expect(opened).toEqual([]);
});
