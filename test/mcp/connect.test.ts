// `/mcp/connect`: the tools for connectors with access tokens.
import { suspendAccount } from '@service/composition';
import { accountWriter } from '@service/database';
import { endAccessTokens, issueAccessToken, keysModule } from '@service/keys';
import { createLog } from '@service/log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callRest,
  createTestKey,
  createTestToken,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { writeAs } from '../support/factories.ts';
import { activityRows, callMcp, callModern, initialize, postMcp, type RpcMessage } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  world = await createTestWorld(service);
});

const path = '/mcp/connect';
const metadata = () =>
  `resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource/mcp/connect"`;

const call = (key: string | undefined, message: RpcMessage | RpcMessage[] = toolCall('list_webinars')) =>
  callMcp(service, message, { key, path, headers: { 'X-Request-Id': 'same' } });

const toolCall = (name: string, given: object = {}): RpcMessage => ({
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

const pool = () => service.db.database.pool;

test('a call with an access token runs, in both kinds of protocol versions, and over no other surface', async () => {
  const { token } = await createTestToken(service, world.accountId);
  expect((await call(token, initialize('2025-11-25'))).response.result.serverInfo.name).toBe('webinars');
  const listed = await call(token);
  expect(listed.response.result.structuredContent.data).toHaveLength(1);
  const modern = await callModern(service, toolCall('get_me'), { key: token, path });
  expect(modern.response.result.structuredContent.data).toMatchObject({
    account: { id: world.accountId },
    key: { label: 'Test client' },
  });
  expect((await callMcp(service, toolCall('get_me'), { key: token })).status).toBe(401);
  expect((await callRest(service, 'GET /me', { key: token })).status).toBe(401);
});

test('a missing token is answered 401 with the address of the metadata, an invalid one also with invalid_token, and nothing is recorded', async () => {
  const { accountId, key } = world;
  const ended = await createTestToken(service, accountId);
  await writeAs(service.db.database, accountId, (tx) => endAccessTokens(tx, ended.grantId));
  const expired = await createTestToken(service, accountId);
  await pool().query(
    `update keys.access_token set expires_at = now() - interval '1 ms' where grant_id = $1`,
    [expired.grantId],
  );
  const missing = await call(undefined);
  expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, `Bearer ${metadata()}`]);
  const { key: mcpOnly } = await createTestKey(service, accountId, { surfaces: ['mcp'] });
  for (const given of [
    `svc_at_${'0'.repeat(32)}`,
    'svc_at_',
    'x',
    ended.token,
    expired.token,
    key,
    mcpOnly,
  ]) {
    const answer = await call(given);
    expect([answer.status, answer.text], given).toEqual([401, missing.text]);
    expect(answer.headers.get('www-authenticate'), given).toBe(`Bearer error="invalid_token", ${metadata()}`);
    expect(answer.headers.has('x-ratelimit-remaining'), given).toBe(false);
  }
  expect(JSON.parse(missing.text)).toMatchObject({ code: 'invalid_access_token', requestId: 'same' });
  expect(await activityRows(service, accountId)).toEqual([]);
});

test('a token without the scope is answered 403 with the scopes of the tool, counted and in Activity', async () => {
  const { accountId, webinar } = world;
  const { token } = await createTestToken(service, accountId, { scopes: ['webinars:read'] });
  const create = toolCall('create_registration', {
    webinarId: webinar.id,
    name: 'Ada',
    email: 'ada@example.com',
    sessionTime: webinar.sessionTime,
  });
  const before = Number((await call(token)).headers.get('x-ratelimit-remaining'));
  const refused = await call(token, create);
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", scope="registrations:write", ${metadata()}`,
  );
  expect(JSON.parse(refused.text)).toMatchObject({
    code: 'insufficient_scope',
    details: { scopes: ['registrations:write'] },
    docUrl: expect.stringMatching(/\/docs\/errors#insufficient_scope$/),
  });
  expect(Number(refused.headers.get('x-ratelimit-remaining'))).toBe(before - 1);
  // None of the calls of a batch runs.
  const batch = await call(token, [toolCall('list_webinars'), { ...create, id: 2 }]);
  expect([batch.status, batch.headers.get('x-ratelimit-remaining')]).toEqual([403, String(before - 3)]);
  const rows = await activityRows(service, accountId);
  expect(rows.map(({ tool, status, error_code: code }) => [tool, status, code])).toEqual([
    ['list_webinars', 200, null],
    ['create_registration', 403, 'insufficient_scope'],
    ['list_webinars', 403, 'insufficient_scope'],
    ['create_registration', 403, 'insufficient_scope'],
  ]);
  const { rowCount } = await pool().query('select from attendees.registration where account_id = $1', [
    accountId,
  ]);
  expect(rowCount).toBe(0);
});

test('the end of a grant with the id of one of another workspace ends nothing there', async () => {
  const theirs = await createTestWorld(service);
  const { token, grantId } = await createTestToken(service, theirs.accountId);
  await writeAs(service.db.database, world.accountId, (tx) => endAccessTokens(tx, grantId));
  expect((await call(token)).status).toBe(200);
});

test('a token is stored as a digest, lives for an hour, and a grant has at most twenty', async () => {
  const { accountId } = world;
  const first = await createTestToken(service, accountId);
  const tokens: string[] = [];
  for (let made = 0; made < 20; made += 1)
    tokens.push((await createTestToken(service, accountId, { grantId: first.grantId })).token);
  const { rows } = await pool().query(
    `select encode(hash, 'hex') as hash, extract(epoch from expires_at - now())::float8 as seconds,
       row_to_json(t)::text as text
     from keys.access_token t where account_id = $1`,
    [accountId],
  );
  expect(rows).toHaveLength(20);
  for (const { seconds, text } of rows) {
    expect(seconds).toBeGreaterThan(3500);
    expect(seconds).toBeLessThanOrEqual(3600);
    expect(text).not.toContain('svc_at_');
  }
  expect((await call(first.token)).status).toBe(401);
  expect((await call(tokens[0])).status).toBe(200);
});

test('expired tokens of all workspaces are deleted, and no others', async () => {
  const { accountId } = world;
  const valid = await createTestToken(service, accountId);
  const expired = await createTestToken(service, accountId);
  const theirs = await createTestToken(service, (await createTestWorld(service)).accountId);
  await pool().query(
    `update keys.access_token set expires_at = now() - interval '1 second' where grant_id = any($1)`,
    [[expired.grantId, theirs.grantId]],
  );
  const [cron] = keysModule.jobs({ database: service.db.database }).crons;
  const { rows } = await pool().query<{ now: Date }>('select now()');
  const { signal } = new AbortController();
  await cron!.run(rows[0]!.now, { log: createLog('test', { level: 'silent' }), signal });
  const left = await pool().query('select grant_id from keys.access_token where grant_id = any($1)', [
    [valid, expired, theirs].map(({ grantId }) => grantId),
  ]);
  expect(left.rows).toEqual([{ grant_id: valid.grantId }]);
});

test('the tokens of a suspended workspace are answered 403 before their scopes are checked', async () => {
  const { accountId } = world;
  const { token } = await createTestToken(service, accountId, { scopes: ['webinars:read'] });
  await service.db.database.transaction((tx) =>
    suspendAccount(accountWriter(tx, { accountId, now: new Date() })),
  );
  for (const tool of ['list_webinars', 'create_webinar']) {
    const answer = await call(token, toolCall(tool));
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'account_suspended']);
  }
});

test('Activity names the client of a grant and who gave it, and its filter lists grants beside keys', async () => {
  const { accountId, key } = world;
  const grantId = accountId;
  const createdBy = { kind: 'member', id: world.userId, name: 'Test' } as const;
  const grant = { grantId, label: 'Claude', scopes: ['webinars:read'] as const, createdBy };
  const { token } = await writeAs(service.db.database, accountId, (tx) => issueAccessToken(tx, grant));
  await call(token);
  await call(token, toolCall('create_webinar'));
  await callMcp(service, toolCall('list_webinars'), { key });
  await service.api.service.activity.flush();
  const dashboard = await openDashboard(service, world);
  expect(await dashboard.query('activity.keys')).toEqual([
    { id: grantId, label: 'Claude', createdBy, kind: 'grant' },
    { id: expect.any(String), label: 'Test', createdBy: { kind: 'operator' }, kind: 'key' },
  ]);
  const rows = await dashboard.query('activity.list', { keyId: grantId });
  expect(
    rows.map(({ keyLabel, surface, tool, status }: Record<string, unknown>) => [
      keyLabel,
      surface,
      tool,
      status,
    ]),
  ).toEqual([
    ['Claude', 'mcp', 'create_webinar', 403],
    ['Claude', 'mcp', 'list_webinars', 200],
  ]);
});

test('other methods of HTTP and pages of other origins are refused as at /mcp', async () => {
  const { token } = await createTestToken(service, world.accountId);
  const get = await fetch(`${service.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await activityRows(service, world.accountId)).toMatchObject([{ method: 'GET', path, status: 405 }]);
  const foreign = await postMcp(service, '{}', {
    key: token,
    path,
    headers: { Origin: 'https://evil.example' },
  });
  expect([foreign.status, foreign.headers.has('www-authenticate')]).toEqual([403, false]);
});

test('a page of an allowed origin can read the address of the metadata, and only at /mcp/connect', async () => {
  const origin = 'https://inspector.example';
  await using open = await testApi({ shared: service.db, corsAllowedOrigins: [origin] });
  const exposed = async (at: '/mcp' | '/mcp/connect') => {
    const { status, headers } = await postMcp(open, '{}', { path: at, headers: { Origin: origin } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    return headers.get('access-control-expose-headers');
  };
  expect(await exposed('/mcp/connect')).toContain('WWW-Authenticate');
  expect(await exposed('/mcp')).not.toContain('WWW-Authenticate');
});
