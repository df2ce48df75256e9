import { randomBytes } from 'node:crypto';
import { startApi, type ApiOptions, type RunningApi } from '@service/api';
import { createApiKey, allScopes, allSurfaces, type RateLimit } from '@service/keys';
import { createLog } from '@service/log';
import type { Scope, Surface } from '@service/trpc';
import { createWebinar, CreateWebinarInput, onceAt, publishWebinar } from '@service/webinars';
import { checkAnswer } from './check-answer.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { freePort } from './free-port.ts';

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
  /** A call of an attendee waits so long for locked rows. */
  roomWaitMaxMs?: number;
}

/** Starts an API process's worth of service on a free port, on a database of its own unless told otherwise. */
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
  connections = patientConnections,
}: TestApiOptions = {}): Promise<TestApi> {
  const db = shared ?? (await testDatabase());
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

/** On a machine that is busy with other tests a call may wait longer than anybody should. */
const patientConnections = { waitMaxMs: 30_000 };

/** More than any test asks for, but for those about the limit. */
const ampleRateLimit: RateLimit = { requests: 1_000_000, windowSeconds: 60 };

/** What API and worker share in tests: loopback receivers over plain http are allowed. */
export const testServiceOptions = (databaseUrl: string) => ({
  databaseUrl,
  encryptionKey: testEncryptionKey,
  encryptionKeysOld: [],
  webhookAllowedCidrs: ['127.0.0.0/8', '::1/128'],
  webhookAllowHttp: true,
  retryScheduleSeconds: [0, 1, 2],
  idempotencyWindowHours: 24,
  log: createLog('test', { level: 'silent' }),
});

export interface TestAccount {
  accountId: string;
  userId: string;
  email: string;
  password: string;
}

/** A workspace with its owner. */
export async function createTestAccount({ api }: TestApi): Promise<TestAccount> {
  const email = `owner-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const made = await api.service.accounts.createAccount({
    name: 'Test',
    ownerEmail: email,
    ownerPassword: password,
  });
  return { ...made, email, password };
}

interface KeyGrants {
  scopes?: readonly Scope[];
  surfaces?: readonly Surface[];
}

/** An API key's text and id; full access unless told otherwise. */
export async function createTestKey(
  { db }: TestApi,
  accountId: string,
  { scopes = allScopes, surfaces = allSurfaces }: KeyGrants = {},
): Promise<{ key: string; id: string }> {
  const { key, apiKey } = await db.database.transaction((tx) =>
    createApiKey(
      { ...tx, accountId, now: new Date() },
      { label: 'Test', scopes, surfaces, createdBy: { kind: 'operator' } },
    ),
  );
  return { key, id: apiKey.id };
}

/** A full minute, which is what schedules are made of, ISO 8601. */
export const inMinutes = (minutes: number): string =>
  new Date(Math.ceil(Date.now() / 60_000 + minutes) * 60_000).toISOString();

/** The schedule of one session at a time, for a webinar in UTC. */
export const scheduleAt = (sessionTime: string) => ({ recurrences: [onceAt(new Date(sessionTime))] });

/** A published webinar whose session starts tomorrow. */
export async function createTestWebinar(
  { db }: TestApi,
  accountId: string,
): Promise<{ id: string; sessionTime: string }> {
  const sessionTime = inMinutes(24 * 60);
  const input = CreateWebinarInput.parse({
    title: 'Launch',
    schedule: scheduleAt(sessionTime),
  });
  return db.database.transaction(async (tx) => {
    const writer = { ...tx, accountId, now: new Date() };
    const webinar = await createWebinar(writer, input);
    await publishWebinar(writer, webinar.id);
    return { id: webinar.id, sessionTime };
  });
}

export interface TestWorld extends TestAccount {
  /** Of an API key with full access. */
  key: string;
  /** Published, with a session tomorrow. */
  webinar: { id: string; sessionTime: string };
}

/** A workspace with a key and a webinar: where most stories begin. */
export async function createTestWorld(service: TestApi): Promise<TestWorld> {
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId);
  return { ...account, key, webinar: await createTestWebinar(service, account.accountId) };
}

/** A REST call; `body` is sent as JSON. An answer that /openapi.json does not allow is thrown. */
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
