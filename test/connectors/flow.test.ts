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
import { approve, redirectUri } from './oauth-client.ts';

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
  connect(): Promise<void>;
  finish(redirect: URL): Promise<void>;
  titles(): Promise<string[]>;
}

type Kind = 'SDK 1' | 'SDK 2';

function createConnector(kind: Kind, provider: Provider): Connector {
  const info = { name: 'test', version: '1' };
  const isModern = kind === 'SDK 2';
  const transport = isModern
    ? new ModernTransport(url(), { authProvider: provider as never })
    : new StreamableHTTPClientTransport(url(), { authProvider: provider as never });
  const client = isModern ? new ModernClient(info) : new Client(info);
  return {
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

/** The member opens the address of the client and approves. */
async function consent(opened: URL): Promise<URL> {
  const response = await fetch(opened, { redirect: 'manual' });
  const request = new URL(response.headers.get('location')!).searchParams.get('request')!;
  const { scopes } = await dashboard.query('connectors.request', { request });
  return approve(dashboard, { request, scopes });
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

  const redirect = await consent(memory.opened!);
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
  const redirect = await consent(memory.opened!);
  redirect.searchParams.set('iss', 'https://other.example');
  await expect(createConnector('SDK 2', provider).finish(redirect)).rejects.toThrow(/issuer|iss/i);
  expect(memory.tokens).toBeUndefined();
});
