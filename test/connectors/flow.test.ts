// The official clients connect by themselves: 401, discovery, client id, consent, tool call, refresh, revocation.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createOutboundPolicy } from '@service/outbound-http';
import { certificate, key } from '@service/outbound-http/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, createTestWebinar, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { connect, consentAt, redirectUri } from './oauth-client.ts';

/** The name in the certificate of tests. */
const documentHost = 'receiver.test';

let service: TestApi;
let dashboard: DashboardClient;
const documents = createServer({ cert: certificate, key }, (request, response) => {
  const document = {
    client_id: `${documentOrigin()}${request.url}`,
    client_name: 'Documented',
    redirect_uris: [redirectUri],
  };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
});
const documentOrigin = () => `https://${documentHost}:${(documents.address() as AddressInfo).port}`;
beforeAll(async () => {
  documents.listen(0, '127.0.0.1');
  await once(documents, 'listening');
  const clientDocuments = {
    policy: createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: false }),
    resolver: { resolve: async () => ['127.0.0.1'] },
    ca: certificate,
  };
  service = await testApi({ options: { clientDocuments } });
  const owner = await createTestAccount(service);
  await createTestWebinar(service, owner.accountId);
  dashboard = await openDashboard(service, owner);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  documents.closeAllConnections();
  documents.close();
});

const url = () => new URL(`${service.baseUrl}/mcp/connect`);

interface Tokens {
  access_token: string;
  refresh_token?: string;
}

/** The memory of a client between its steps, as both SDKs ask for it. */
function createProvider(documentUrl?: string) {
  const memory = {
    verifier: '',
    opened: undefined as URL | undefined,
    tokens: undefined as Tokens | undefined,
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- each SDK has its own type
  let information: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  let discovery: any;
  return {
    memory,
    provider: {
      redirectUrl: redirectUri,
      clientMetadata: {
        client_name: 'SDK client',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      },
      ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
      state: () => 'of the client',
      clientInformation: () => information,
      saveClientInformation: (given: unknown) => void (information = given),
      tokens: () => memory.tokens,
      // oxlint-disable-next-line typescript/no-explicit-any
      saveTokens: (given: any) => void (memory.tokens = given),
      redirectToAuthorization: (opened: URL) => void (memory.opened = opened),
      saveCodeVerifier: (verifier: string) => void (memory.verifier = verifier),
      codeVerifier: () => memory.verifier,
      saveDiscoveryState: (given: unknown) => void (discovery = given),
      discoveryState: () => discovery,
      invalidateCredentials: (scope: string) => {
        if (scope === 'tokens' || scope === 'all') memory.tokens = undefined;
      },
    },
  };
}

type Provider = ReturnType<typeof createProvider>['provider'];

interface Connector {
  client: Client | ModernClient;
  connect(): Promise<void>;
  finish(redirect: URL): Promise<void>;
  titles(): Promise<string[]>;
}

type Kind = 'SDK 1' | 'SDK 2';

/** `send` sends its requests. */
function createConnector(kind: Kind, provider: Provider, send: typeof fetch = fetch): Connector {
  const info = { name: 'test', version: '1' };
  const isModern = kind === 'SDK 2';
  const options = { authProvider: provider as never, fetch: send as never };
  const transport = isModern
    ? new ModernTransport(url(), options)
    : new StreamableHTTPClientTransport(url(), options);
  const client = isModern ? new ModernClient(info) : new Client(info);
  return {
    client,
    connect: () => client.connect(transport),
    async finish(redirect) {
      const { searchParams } = redirect;
      if (transport instanceof ModernTransport) await transport.finishAuth(searchParams);
      else await transport.finishAuth(searchParams.get('code')!);
    },
    async titles() {
      const call = { name: 'list_webinars', arguments: {} };
      const { structuredContent } = (await client.callTool(call)) as {
        structuredContent: { data: { title: string }[] };
      };
      return structuredContent.data.map(({ title }) => title);
    },
  };
}

test.each<[Kind, string]>([
  ['SDK 1', 'a registration'],
  ['SDK 2', 'a registration'],
  ['SDK 1', 'a metadata document'],
  ['SDK 2', 'a metadata document'],
])('the client of %s connects with %s, refreshes, and is refused after the revocation', async (kind, way) => {
  const documentUrl =
    way === 'a registration' ? undefined : `${documentOrigin()}/${kind.replace(' ', '-')}.json`;
  const { provider, memory } = createProvider(documentUrl);
  await expect(createConnector(kind, provider).connect()).rejects.toThrow();
  expect(memory.opened?.searchParams.get('client_id')).toMatch(documentUrl ?? /^[0-9a-f-]{36}$/);
  expect(memory.opened?.searchParams.get('resource')).toBe(url().href);

  const redirect = await consentAt(memory.opened!, dashboard);
  const first = createConnector(kind, provider);
  await first.finish(redirect);
  await first.connect();
  expect(await first.titles()).toEqual(['Launch']);
  const [grant] = await dashboard.query('grants.list');
  expect(grant).toMatchObject({ clientName: documentUrl ? 'Documented' : 'SDK client', state: 'active' });

  const { access_token: former } = memory.tokens!;
  await service.db.database.pool.query(
    `update keys.access_token set expires_at = now() - interval '1 second' where grant_id = $1`,
    [grant.id],
  );
  expect(await first.titles()).toEqual(['Launch']);
  expect(memory.tokens!.access_token).not.toBe(former);

  memory.opened = undefined;
  await dashboard.mutate('grants.revoke', { id: grant.id });
  await expect(first.titles()).rejects.toThrow();
  // It begins again with the consent of a member.
  expect(memory.opened).toBeDefined();
});

test('a client refuses an answer that names another authorization server', async () => {
  const { provider, memory } = createProvider();
  await expect(createConnector('SDK 2', provider).connect()).rejects.toThrow();
  const redirect = await consentAt(memory.opened!, dashboard);
  redirect.searchParams.set('iss', 'https://other.example');
  await expect(createConnector('SDK 2', provider).finish(redirect)).rejects.toThrow(/issuer|iss/i);
  expect(memory.tokens).toBeUndefined();
});

/** The answers to a call of a tool without its scope, by a client that is connected already, and the pages that it opens. */
async function callWithoutScope(kind: Kind) {
  const connection = await connect(service, dashboard, { scopes: ['webinars:read'] });
  const { provider } = createProvider();
  const posts: string[] = [];
  const opened: URL[] = [];
  const connected = {
    ...provider,
    clientInformation: () => ({ client_id: connection.clientId }),
    tokens: () => ({
      access_token: connection.accessToken,
      refresh_token: connection.refreshToken,
      token_type: 'Bearer',
      scope: 'webinars:read',
    }),
    saveTokens: () => undefined,
    redirectToAuthorization: (page: URL) => void opened.push(page),
  };
  const { client, ...connector } = createConnector(kind, connected, async (address, init) => {
    const answer = await fetch(address, init);
    const { pathname } = new URL(answer.url);
    if (init?.method === 'POST') posts.push(`POST ${pathname} ${answer.status}`);
    return answer;
  });
  await connector.connect();
  posts.length = 0;
  await expect(client.callTool({ name: 'create_webinar', arguments: { title: 'New' } })).rejects.toThrow();
  await client.close();
  return { posts, opened };
}

// The official clients do not refresh their tokens again and again when a tool needs a scope that they were not granted.
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
