// Credentials are not interchangeable: each opens its own doors, and everywhere else it gets the answer of a random text of its form.
import { createSecret } from '@service/signing';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resendInput } from '../connections/connections-world.ts';
import { startMailProvider, type MailProvider } from '../connections/mail-provider.ts';
import { signResend } from '../mails/sign-reports.ts';
import { createTestKey } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { initialize } from '../support/mcp.ts';
import { signInMember } from '../support/member.ts';
import { openShop, payloadOf, signGeneric } from '../support/shop.ts';
import { createWorld, type World } from '../support/world.ts';
import {
  askForCode,
  codeForm,
  connect,
  redirectUri,
  registerClient,
  type Connection,
} from './oauth-client.ts';

interface Answer {
  status: number;
  /** Everything that a caller can see, but for what differs in each answer. */
  seen: string;
}

interface Request {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

let world: World;
let dashboard: DashboardClient;
let cookieName: string;
let clientId: string;
let verifier: string;
let mailProvider: MailProvider;
let reportPath: string;
let ownerHeaders: Record<string, string>;
const credentials = {} as Record<
  'REST key' | 'MCP key' | 'access token' | 'refresh token' | 'code' | Secret | 'join token' | 'session',
  string
>;
type Secret = 'webhook secret' | 'revenue secret' | 'provider key' | 'report secret';
type Credential = keyof typeof credentials;

beforeAll(async () => {
  world = await createWorld();
  const { service, accountId } = world;
  dashboard = await openDashboard(service, world);
  credentials['REST key'] = (await createTestKey(service, accountId, { surfaces: ['rest'] })).key;
  credentials['MCP key'] = (await createTestKey(service, accountId, { surfaces: ['mcp'] })).key;
  const connection = await connect(service, dashboard);
  credentials['access token'] = connection.accessToken;
  credentials['refresh token'] = connection.refreshToken;
  clientId = await registerClient(service);
  const { attempt, code } = await askForCode(service, dashboard, { clientId });
  credentials.code = code;
  verifier = attempt.verifier;
  credentials['webhook secret'] = (await world.subscribe('http://127.0.0.1:9/')).secret;
  credentials['revenue secret'] = (await openShop(service, world)).secrets.generic;
  credentials['join token'] = (await world.attend()).token;
  mailProvider = await startMailProvider();
  const { connection: mail } = await dashboard.mutate('connections.connect', resendInput(mailProvider));
  credentials['provider key'] = mailProvider.key;
  credentials['report secret'] = createSecret();
  const reportSecret = { connectionId: mail.id, secret: credentials['report secret'] };
  await dashboard.mutate('connections.changeReportSecret', reportSecret);
  reportPath = new URL((await dashboard.query('mails.reportUrl', { connectionId: mail.id })).url).pathname;
  // A sign-in session of its own: that of the table is a credential that is presented.
  const { cookie: ownCookie } = await signInMember(service, world);
  ownerHeaders = { Cookie: ownCookie, Origin: service.baseUrl, 'X-Workspace': world.accountId };
  const { cookie } = await signInMember(service, world);
  [cookieName, credentials.session] = sessionOf(cookie);
  // The client of the refresh token is another one, so its exchange names it.
  clients['refresh token'] = connection.clientId;
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await mailProvider[Symbol.asyncDispose]();
});

const clients: Partial<Record<Credential, string>> = {};

function sessionOf(cookie: string): [string, string] {
  const [name, value] = /([^;\s=]*session_token)=([^;]*)/.exec(cookie)!.slice(1) as [string, string];
  return [name, decodeURIComponent(value)];
}

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
const cookie = (text: string) => ({ Cookie: `${cookieName}=${encodeURIComponent(text)}` });
const mcp = (path: string, headers: Record<string, string>): Request => ({
  path,
  method: 'POST',
  headers: { ...json, Accept: 'application/json, text/event-stream', ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', ...initialize('2025-11-25') }),
});
const exchange = (fields: object): Request => ({
  path: '/oauth/token',
  method: 'POST',
  headers: form,
  body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
});

interface Door {
  request: (text: string, credential: Credential) => Request;
  opensFor: readonly Credential[];
}

const purchase = JSON.stringify(payloadOf());

/** The places at which each text is presented as if it belonged there. */
const doors: Record<string, Door> = {
  REST: {
    request: (text) => ({ path: '/api/v1/webinars', headers: bearer(text) }),
    opensFor: ['REST key'],
  },
  'REST, as a cookie': {
    request: (text) => ({ path: '/api/v1/webinars', headers: cookie(text) }),
    opensFor: [],
  },
  '/mcp': { request: (text) => mcp('/mcp', bearer(text)), opensFor: ['MCP key'] },
  '/mcp, as a cookie': { request: (text) => mcp('/mcp', cookie(text)), opensFor: [] },
  '/mcp/readonly': { request: (text) => mcp('/mcp/readonly', bearer(text)), opensFor: ['MCP key'] },
  '/mcp/connect': { request: (text) => mcp('/mcp/connect', bearer(text)), opensFor: ['access token'] },
  '/mcp/connect, as a cookie': { request: (text) => mcp('/mcp/connect', cookie(text)), opensFor: [] },
  'revenue intake': {
    request: (text) => ({
      path: `/api/webhooks/revenue/${world.accountId}/generic`,
      method: 'POST',
      headers: { ...json, 'X-Service-Signature': signGeneric(text, purchase) },
      body: purchase,
    }),
    opensFor: ['revenue secret'],
  },
  'reports of an e-mail provider': {
    request: (text) => ({ path: reportPath, method: 'POST', ...signResend(text, {}) }),
    opensFor: ['report secret'],
  },
  room: {
    request: (text) => ({
      path: `/room/${encodeURIComponent(text)}/visits`,
      method: 'POST',
      headers: json,
      body: '{}',
    }),
    opensFor: ['join token'],
  },
  '/trpc': {
    request: (text) => ({
      path: '/trpc/keys.list',
      headers: { ...cookie(text), 'X-Workspace': world.accountId },
    }),
    opensFor: ['session'],
  },
  '/trpc, as a bearer token': {
    request: (text) => ({
      path: '/trpc/keys.list',
      headers: { ...bearer(text), 'X-Workspace': world.accountId },
    }),
    opensFor: [],
  },
  'e-mail provider': {
    request: (key) => ({
      path: '/trpc/connections.connect',
      method: 'POST',
      headers: { ...json, ...ownerHeaders },
      body: JSON.stringify(resendInput(mailProvider, { credential: { key } })),
    }),
    opensFor: ['provider key'],
  },
  '/oauth/token, as a code': {
    request: (code) =>
      exchange({ ...codeForm({ clientId, verifier, parameters: {} }, code), redirect_uri: redirectUri }),
    opensFor: ['code'],
  },
  '/oauth/token, as a refresh token': {
    request: (refreshToken, credential) =>
      exchange({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clients[credential] ?? clientId,
      }),
    opensFor: ['refresh token'],
  },
};

async function ask({ path, method = 'GET', headers, body }: Request): Promise<Answer> {
  const response = await fetch(`${world.service.baseUrl}${path}`, {
    method,
    headers: { ...headers, 'X-Request-Id': 'same' },
    body,
  });
  const text = (await response.text()).replaceAll(/"requestId":"[^"]*"/g, '"requestId":"same"');
  const kept = [...response.headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-.*)$/.test(name));
  return { status: response.status, seen: JSON.stringify([response.status, kept, text]) };
}

/** A text of the same form: the prefix stays, and each letter and digit becomes another one of its kind. */
function scramble(text: string): string {
  const prefix = /^(svc_(live|at|rt|code)_|whsec_)?/.exec(text)![0];
  const other = (from: string) => from[randomInt(from.length)]!;
  return (
    prefix +
    text
      .slice(prefix.length)
      .replaceAll(/[a-z]/g, () => other('abcdefghijklmnopqrstuvwxyz'))
      .replaceAll(/[A-Z]/g, () => other('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
      .replaceAll(/\d/g, () => other('0123456789'))
  );
}

const isOpen = ({ status }: Answer): boolean => status < 300;

test('each credential opens its own doors only, and elsewhere it is answered like a random text of its form', async () => {
  const names = Object.keys(credentials) as Credential[];
  expect(names).toHaveLength(11);
  // Closed cells first: a code and a refresh token can be used once.
  for (const [name, { request, opensFor }] of Object.entries(doors)) {
    for (const credential of names.filter((each) => !opensFor.includes(each))) {
      const text = credentials[credential];
      const answer = await ask(request(text, credential));
      const random = await ask(request(scramble(text), credential));
      expect(isOpen(answer), `${credential} at ${name}`).toBe(false);
      expect(answer.seen, `${credential} at ${name}`).toBe(random.seen);
    }
  }
  for (const [name, { request, opensFor }] of Object.entries(doors)) {
    for (const credential of opensFor) {
      const text = credentials[credential];
      expect(isOpen(await ask(request(scramble(text), credential))), `random at ${name}`).toBe(false);
      const answer = await ask(request(text, credential));
      expect(isOpen(answer), `${credential} at ${name}: ${answer.seen}`).toBe(true);
    }
  }
});

test('/oauth/revoke gives one answer to every text, and ends only the grants of access tokens and refresh tokens', async () => {
  const { service } = world;
  const byAccess = await connect(service, dashboard);
  const byRefresh = await connect(service, dashboard);
  const bystander = await connect(service, dashboard);
  const revoke = (token: string, { clientId: client }: Pick<Connection, 'clientId'>) =>
    ask({
      path: '/oauth/revoke',
      method: 'POST',
      headers: form,
      body: new URLSearchParams({ token, client_id: client }).toString(),
    });
  const isConnected = async ({ accessToken }: Connection) =>
    isOpen(await ask(mcp('/mcp/connect', bearer(accessToken))));

  const expected = await revoke(scramble(byAccess.accessToken), byAccess);
  expect(expected.status).toBe(200);
  const harmless = [
    'REST key',
    'MCP key',
    'webhook secret',
    'revenue secret',
    'provider key',
    'report secret',
    'join token',
    'session',
  ] as const;
  for (const credential of harmless)
    expect((await revoke(credentials[credential], bystander)).seen, credential).toBe(expected.seen);
  // A token of another client.
  expect((await revoke(byAccess.accessToken, bystander)).seen).toBe(expected.seen);
  expect([await isConnected(byAccess), await isConnected(byRefresh)]).toEqual([true, true]);
  for (const credential of ['REST key', 'MCP key', 'join token', 'session'] as const) {
    const door = Object.values(doors).find(({ opensFor }) => opensFor.includes(credential));
    expect(isOpen(await ask(door!.request(credentials[credential], credential))), credential).toBe(true);
  }

  expect((await revoke(byAccess.accessToken, byAccess)).seen).toBe(expected.seen);
  expect((await revoke(byRefresh.refreshToken, byRefresh)).seen).toBe(expected.seen);
  expect(await Promise.all([byAccess, byRefresh, bystander].map(isConnected))).toEqual([false, false, true]);
});
