import { randomBytes } from 'node:crypto';
import { startApi, type ApiOptions, type RunningApi } from '@service/api';
import type { RateLimit } from '@service/keys';
import { createLog } from '@service/log';
import { checkAnswer } from './check-answer.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import {
  createAccessToken,
  createKey,
  createOwner,
  createPublishedWebinar,
  type KeyGrants,
  type PublishedWebinar,
  type TestAccount,
} from './factories.ts';
import { freePort } from './free-port.ts';

export { scheduleAt, type TestAccount } from './factories.ts';

export const testEncryptionKey = randomBytes(32).toString('base64');

export interface TestApi extends AsyncDisposable {
  /** Without a trailing slash. */
  baseUrl: string;
  api: RunningApi;
  db: TestDatabase;
}

export interface TestApiOptions {
  /** An API on the database of another. */
  shared?: TestDatabase;
  /** Loopback receivers over plain http are refused, as in production. */
  strict?: boolean;
  rateLimit?: RateLimit;
  corsAllowedOrigins?: readonly string[];
  /** Further options that differ from the usual, such as the hosts to listen on. */
  options?: Partial<ApiOptions>;
  callLimit?: ApiOptions['callLimit'];
  connections?: ApiOptions['connections'];
  log?: ApiOptions['log'];
  /** The time in rooms; everything else keeps the real one. */
  now?: () => Date;
  /** The longest that a call of an attendee waits for locked rows. */
  roomWaitMaxMs?: number;
}

/** Starts the API in this process on a free port, with a database of its own unless `shared` names one. */
export async function testApi({
  shared,
  strict = false,
  rateLimit = ampleRateLimit,
  corsAllowedOrigins = [],
  options = {},
  now,
  roomWaitMaxMs,
  log,
  callLimit,
  connections = ampleConnections,
}: TestApiOptions = {}): Promise<TestApi> {
  const db = shared ?? (await testDatabase({ withAccounts: true }));
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const policy = strict ? { webhookAllowedCidrs: [], webhookAllowHttp: false } : {};
  const api = await startApi({
    ...testServiceOptions(db.url),
    ...policy,
    callLimit,
    connections,
    ...(log && { log }),
    rateLimit,
    baseUrl,
    port,
    trustedProxies: [],
    corsAllowedOrigins,
    now,
    roomWaitMaxMs,
    lateRefusals: neverLate,
    ...options,
  });
  return {
    baseUrl,
    api,
    db,
    async [Symbol.asyncDispose]() {
      await api.close();
      if (!shared) await db[Symbol.asyncDispose]();
    },
  };
}

/** On a machine that is busy with other tests a call may wait longer than in production, and an account with much use has no rest. */
const ampleConnections = { waitMaxMs: 30_000, shareLimits: { burstMs: Infinity, heavyMs: Infinity } };

/** All callers of a test share one address, and tables of refusals are long. */
const neverLate = { burst: 1_000_000, perMinute: 0, lateMs: 0, waitingMax: 0 };

/** More calls than any test makes, except those about the limit. */
const ampleRateLimit: RateLimit = { requests: 1_000_000, windowSeconds: 60 };

/** Options that API and worker share in tests: loopback receivers over plain http are allowed. */
export const testServiceOptions = (databaseUrl: string) => ({
  databaseUrl,
  encryptionKey: testEncryptionKey,
  encryptionKeysOld: [],
  webhookAllowedCidrs: ['127.0.0.0/8', '::1/128'],
  webhookAllowHttp: true,
  retryScheduleSeconds: [0, 1, 2],
  idempotencyWindowHours: 24,
  // Refuses at once: no test asks the DNS of the machine.
  dnsServers: ['127.0.0.1:9'],
  log: createLog('test', { level: 'silent' }),
});

/** A workspace with its owner: one of those that the test's database was cloned with, else a new one. */
export const createTestAccount = async ({ api, db }: TestApi): Promise<TestAccount> =>
  db.spareAccounts?.shift() ?? (await createOwner(api.service.accounts));

/** A further member of a workspace, who is no owner. */
export async function createTestMember(
  { api }: TestApi,
  accountId: string,
  name = 'Max',
): Promise<TestAccount> {
  const email = `${name}-${randomBytes(4).toString('hex')}@example.com`.toLowerCase();
  const password = 'correct horse battery';
  const person = { accountId, name, email, password, role: 'member' } as const;
  const { userId } = await api.service.accounts.addMember(person);
  return { accountId, userId, email, password };
}

/** An API key's text and id; full access by default. */
export const createTestKey = ({ db }: TestApi, accountId: string, grants?: KeyGrants) =>
  createKey(db.database, accountId, grants);

/** The access token of a grant; full access by default. */
export const createTestToken = (
  { db }: TestApi,
  accountId: string,
  grant?: Parameters<typeof createAccessToken>[2],
) => createAccessToken(db.database, accountId, grant);

/** A full minute, which is what schedules are made of, ISO 8601. */
export const inMinutes = (minutes: number): string =>
  new Date(Math.ceil(Date.now() / 60_000 + minutes) * 60_000).toISOString();

/** A published webinar whose session starts tomorrow. */
export const createTestWebinar = ({ db }: TestApi, accountId: string) =>
  createPublishedWebinar(db.database, accountId, { sessionTime: inMinutes(24 * 60) });

export interface TestWorld extends TestAccount {
  /** Of an API key with full access. */
  key: string;
  /** Published, with a session tomorrow. */
  webinar: PublishedWebinar;
  /** A REST call with the key: `GET /me`. */
  rest(route: string, body?: unknown): ReturnType<typeof callRest>;
  /** The same below the webinar: `POST /publish`. */
  call(route: string, body?: unknown): ReturnType<typeof callRest>;
}

/** A workspace with a key and a webinar. */
export async function createTestWorld(service: TestApi, owner?: TestAccount): Promise<TestWorld> {
  const account = owner ?? (await createTestAccount(service));
  const { key } = await createTestKey(service, account.accountId);
  const webinar = await createTestWebinar(service, account.accountId);
  const rest: TestWorld['rest'] = (route, body) => callRest(service, route, { key, body });
  const call: TestWorld['call'] = (route, body) => rest(route.replace(' ', ` /webinars/${webinar.id}`), body);
  return { ...account, key, webinar, rest, call };
}

/** Status and error code of an answer. */
export const codeOf = ({ status, json }: Pick<RestAnswer, 'status' | 'json'>): unknown[] => [
  status,
  json?.code,
];

type RestAnswer = Awaited<ReturnType<typeof callRest>>;

/** A REST call; `body` is sent as JSON. Throws when /openapi.json does not allow the answer. */
export async function callRest(
  { baseUrl }: Pick<TestApi, 'baseUrl'>,
  route: string,
  { key, body, headers }: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  await checkAnswer(baseUrl, { method, path, status: response.status, headers: response.headers, text });
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}
