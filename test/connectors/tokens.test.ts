// The life of a grant: its code, its refresh tokens and its end. Every attack ends in a refusal.
import { allScopes } from '@service/catalogue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import type { DashboardClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { createConnectorsWorld } from './connectors-world.ts';
import { askForCode, codeForm, connect, postForm, refreshForm, statusOf } from './oauth-client.ts';

let service: TestApi;
let dashboard: DashboardClient;
let clientId: string;
beforeAll(async () => {
  ({ service, dashboard, clientId } = await createConnectorsWorld());
});
afterAll(() => service[Symbol.asyncDispose]());

const exchange = (fields: Record<string, string | undefined>) => postForm(service, 'token', fields);
const newCode = () => askForCode(service, dashboard, { clientId });
const pool = () => service.db.database.pool;

/** Locks the row of the newest grant, so that everything that needs it waits at the same moment. */
const lockNewestGrant = () =>
  lockRows(
    pool(),
    'select from connectors.grant where id = (select id from connectors.grant order by id desc limit 1) for update',
    [],
  );

const untilWaiting = (count: number) =>
  eventually(`${count} transactions to wait`, async () => (await countWaiting(pool())) === count);

/** Moves the times of all grants into the past, as if this time had passed. */
const letPass = (interval: string) =>
  pool().query(
    `update connectors.grant set expires_at = expires_at - $1::interval, refreshed_at = refreshed_at - $1::interval`,
    [interval],
  );

const newestGrant = async () => (await dashboard.query('grants.list'))[0];

test('a code becomes an access token for the MCP address and a refresh token', async () => {
  const { attempt, code } = await newCode();
  const { status, headers, json } = await exchange(codeForm(attempt, code));
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(json).toEqual({
    access_token: expect.stringMatching(/^svc_at_/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^svc_rt_/),
    scope: allScopes.join(' '),
  });
  expect(await statusOf(service, json.access_token)).toBe(200);
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
  ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
  ['the challenge as verifier', { code_verifier: 'CHALLENGE' }, 'invalid_grant'],
  ['no redirect URI', { redirect_uri: undefined }, 'invalid_grant'],
  ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
  ['no client', { client_id: undefined }, 'invalid_request'],
  ['another client', { client_id: '01a1fa00-44e8-743f-b362-6e80fc279e81' }, 'invalid_grant'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['a grant type of the prototype', { grant_type: 'constructor' }, 'unsupported_grant_type'],
  ['the code as refresh token', { grant_type: 'refresh_token', refresh_token: 'CODE' }, 'invalid_grant'],
])('with %s a code is refused, and stays valid for its client', async (_title, changes, error) => {
  const { attempt, code } = await newCode();
  const form = codeForm(attempt, code);
  const placeholders: Record<string, string> = {
    CHALLENGE: attempt.parameters['code_challenge']!,
    CODE: code,
  };
  const given = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, placeholders[value ?? ''] ?? value]),
  );
  const { status, json } = await exchange({ ...form, ...given });
  expect([status, json.error]).toEqual([400, error]);
  expect((await exchange(form)).status).toBe(200);
});

test('a code that is used again is refused, and the grant of its first use ends', async () => {
  const { attempt, code } = await newCode();
  const form = codeForm(attempt, code);
  const { json: tokens } = await exchange(form);
  const again = await exchange(form);
  expect([again.status, again.json.error]).toEqual([400, 'invalid_grant']);
  expect(await statusOf(service, tokens.access_token)).toBe(401);
  expect((await exchange(refreshForm(clientId, tokens.refresh_token))).json.error).toBe('invalid_grant');
  expect((await newestGrant()).state).toBe('code_reused');
});

test('of two exchanges of one code at once, one gets tokens', async () => {
  const { attempt, code } = await newCode();
  await using blocker = await lockNewestGrant();
  const exchanges = [1, 2].map(() => exchange(codeForm(attempt, code)));
  await untilWaiting(2);
  await blocker.release();
  const statuses = (await Promise.all(exchanges)).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 400]);
});

test('a refresh during a revocation gives no token that outlives it', async () => {
  const { refreshToken, clientId: own } = await connect(service, dashboard);
  const { id } = await newestGrant();
  await using blocker = await lockNewestGrant();
  const revocation = dashboard.mutate('grants.revoke', { id });
  await untilWaiting(1);
  const refresh = exchange(refreshForm(own, refreshToken));
  await untilWaiting(2);
  await blocker.release();
  await revocation;
  expect((await refresh).json).toEqual({ error: 'invalid_grant', error_description: 'The grant has ended.' });
});

test('a code is refused after a minute', async () => {
  const { attempt, code } = await newCode();
  await letPass('61 seconds');
  const { json } = await exchange(codeForm(attempt, code));
  expect(json).toEqual({ error: 'invalid_grant', error_description: 'The code has expired.' });
});

test('a refresh token that two processes of a client send at once gives both the same successor', async () => {
  const { refreshToken, clientId: own } = await connect(service, dashboard);
  const answers = await Promise.all([1, 2].map(() => exchange(refreshForm(own, refreshToken))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  // Each process goes on with the token that it got.
  const [one, other] = answers.map(({ json }) => json.refresh_token);
  expect((await exchange(refreshForm(own, one))).status).toBe(200);
  expect((await exchange(refreshForm(own, other))).status).toBe(200);
  for (const { json } of answers) expect(await statusOf(service, json.access_token)).toBe(200);
});

test.each([
  ['the former one after half a minute', 1],
  ['an older one at once', 2],
])('a refresh token that is used again ends the grant: %s', async (_title, refreshes) => {
  const { refreshToken, clientId: own } = await connect(service, dashboard);
  let newest = refreshToken;
  let accessToken = '';
  for (let index = 0; index < refreshes; index += 1) {
    const { json } = await exchange(refreshForm(own, newest));
    newest = json.refresh_token;
    accessToken = json.access_token;
  }
  if (refreshes === 1) await letPass('31 seconds');
  const again = await exchange(refreshForm(own, refreshToken));
  expect([again.status, again.json.error]).toEqual([400, 'invalid_grant']);
  expect((await exchange(refreshForm(own, newest))).json.error).toBe('invalid_grant');
  expect(await statusOf(service, accessToken)).toBe(401);
  expect((await newestGrant()).state).toBe('refresh_token_reused');
});

test('a refresh token is refused to another client, and stays valid for its own', async () => {
  const { refreshToken, clientId: own } = await connect(service, dashboard);
  expect((await exchange(refreshForm(clientId, refreshToken))).json.error).toBe('invalid_grant');
  expect((await exchange(refreshForm(own, refreshToken))).status).toBe(200);
});

test('a client may refresh for fewer scopes, and never for more', async () => {
  const attempt = await askForCode(service, dashboard, {
    clientId,
    scopes: ['webinars:read', 'sessions:read'],
  });
  const { json: tokens } = await exchange(codeForm(attempt.attempt, attempt.code));
  const more = await exchange({ ...refreshForm(clientId, tokens.refresh_token), scope: 'webinars:write' });
  expect(more.json.error).toBe('invalid_scope');
  const fewer = await exchange({ ...refreshForm(clientId, tokens.refresh_token), scope: 'sessions:read' });
  expect(fewer.json.scope).toBe('sessions:read');
  const all = await exchange(refreshForm(clientId, fewer.json.refresh_token));
  expect(all.json.scope).toBe('webinars:read sessions:read');
});

test('a grant that was not refreshed for 60 days is expired, and is listed as ended', async () => {
  const { refreshToken, clientId: own } = await connect(service, dashboard);
  await letPass('60 days 1 second');
  expect((await exchange(refreshForm(own, refreshToken))).json.error_description).toBe(
    'The refresh token has expired.',
  );
  expect(await newestGrant()).toMatchObject({ state: 'expired', expiresAt: null });
});

test('a forged or damaged credential is refused', async () => {
  const { refreshToken, clientId: own } = await connect(service, dashboard);
  const middle = Math.floor(refreshToken.length / 2);
  const changed = refreshToken[middle] === 'A' ? 'B' : 'A';
  const damaged = refreshToken.slice(0, middle) + changed + refreshToken.slice(middle + 1);
  for (const text of [
    damaged,
    refreshToken.slice(0, -4),
    'svc_rt_',
    'svc_rt_AAAA',
    'x',
    `${refreshToken}AAAA`,
  ]) {
    const { status, json } = await exchange(refreshForm(own, text));
    expect([status, json.error], text).toEqual([400, 'invalid_grant']);
  }
  expect((await exchange(refreshForm(own, refreshToken))).status).toBe(200);
});

test('a body of another type, a large one and a repeated parameter are refused as OAuth clients expect it', async () => {
  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(`${service.baseUrl}/oauth/token`, { method: 'POST', headers: { 'Content-Type': type }, body });
  for (const answer of [
    await send('{}', 'application/json'),
    await send(`grant_type=${'a'.repeat(20_000)}`),
    await send('grant_type=refresh_token&grant_type=refresh_token'),
    await send(''),
  ]) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
  }
});

test('one address cannot try codes without end', async () => {
  await using own = await testApi({ shared: service.db });
  const answers: number[] = [];
  for (let index = 0; index < 70; index += 1) {
    const answer = await postForm(own, 'token', {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: 'x',
    });
    answers.push(answer.status);
    if (answer.status === 429) {
      expect(answer.json.error).toBe('temporarily_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      break;
    }
  }
  expect(answers.at(-1)).toBe(429);
  // A client with a valid token behind the same address is served.
  const { refreshToken, clientId: valid } = await connect(own, dashboard);
  expect((await postForm(own, 'token', refreshForm(valid, refreshToken))).status).toBe(200);
});
