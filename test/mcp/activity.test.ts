import { allScopes } from '@service/catalogue';
import { suspendAccount } from '@service/composition';
import { accountWriter } from '@service/database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { activityRows, callMcp, callModern, callTool, initialize, postMcp } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  world = await createTestWorld(service);
});

test('every authenticated message is in Activity with its tool or method, and in the counter of its key', async () => {
  const { key, accountId } = world;
  await callMcp(service, initialize('2025-11-25'), { key });
  await callMcp(service, { id: 1, method: 'tools/list' }, { key });
  await callModern(service, { id: 1, method: 'resources/list' }, { key });
  await callTool(service, key, 'list_webinars');
  await callTool(service, key, 'list_webinars', { limit: 21 });
  await postMcp(service, '{broken', { key });
  await callMcp(service, { id: 1, method: 'a\u0000b' }, { key });
  const names = (await activityRows(service, world.accountId)).map(({ method, tool, status }) => [
    method ?? tool,
    status,
  ]);
  expect(names).toEqual([
    ['initialize', 200],
    ['tools/list', 200],
    ['resources/list', 200],
    ['list_webinars', 200],
    ['list_webinars', 422],
    ['unknown', 400],
    ['unknown', 404],
  ]);
  const { rows: keys } = await service.db.database.pool.query(
    'select requests from keys.api_key where account_id = $1',
    [accountId],
  );
  expect(keys).toEqual([{ requests: '7' }]);
});

test('a refused call of a tool is in Activity with the tool that it names', async () => {
  const { key, accountId } = world;
  const refused: [name: string, path: '/mcp' | '/mcp/readonly', given?: unknown][] = [
    ['list_webinars', '/mcp', [1]],
    ['create_webinar', '/mcp/readonly'],
    ['no_tool', '/mcp'],
    ['x'.repeat(101), '/mcp'],
  ];
  for (const [name, path, given = {}] of refused)
    await callMcp(
      service,
      { id: 1, method: 'tools/call', params: { name, arguments: given } },
      { key, path },
    );
  const rows = await activityRows(service, accountId);
  expect(rows.map(({ tool, method }) => [tool, method])).toEqual([
    ['list_webinars', null],
    ['create_webinar', null],
    ['no_tool', null],
    [null, 'tools/call'],
  ]);
});

test('the filter and the bars of Activity distinguish calls over MCP from calls over REST', async () => {
  const { key } = world;
  await callRest(service, 'GET /webinars', { key });
  await callMcp(service, { id: 1, method: 'tools/list' }, { key });
  await callTool(service, key, 'get_webinar', { webinarId: world.accountId });
  await service.api.service.activity.flush();
  const dashboard = await openDashboard(service, world);
  const shown = await dashboard.query('activity.list', { surface: 'mcp' });
  expect(shown.map(({ tool, method, path, status }: Shown) => [tool, method, path, status])).toEqual([
    ['get_webinar', null, null, 404],
    [null, 'tools/list', null, 200],
  ]);
  const { bars } = await dashboard.query('activity.histogram', { surface: 'mcp' });
  const sum = (field: 'success' | 'failure'): number =>
    bars.reduce((total: number, bar: Record<'success' | 'failure', number>) => total + bar[field], 0);
  expect([sum('success'), sum('failure')]).toEqual([1, 1]);
});

interface Shown {
  tool: string | null;
  method: string | null;
  path: string | null;
  status: number;
}

test('an exceeded limit is answered as over REST, also for a batch', async () => {
  const limited = await testApi({ rateLimit: { requests: 3, windowSeconds: 10_000_000 } });
  await using _limited = limited;
  const { accountId } = await createTestAccount(limited);
  const { key } = await createTestKey(limited, accountId, { scopes: allScopes });
  const headers = { 'X-Request-Id': 'same' };
  const list = { id: 1, method: 'tools/call', params: { name: 'list_webinars' } };
  const late = [{ method: 'notifications/initialized' }, { id: 'late', method: 'ping' }];
  const mixed = await callMcp(limited, [list, list, list, ...late], { key });
  // A notice gets no response, also when it is refused.
  expect([mixed.status, mixed.responses.map(({ id }) => id)]).toEqual([200, [1, 1, 1, 'late']]);
  expect(mixed.responses.at(-1)!.error?.data).toEqual({ code: 'rate_limited' });
  const overMcp = await callMcp(limited, list, { key, headers });
  const overRest = await callRest(limited, 'GET /webinars', { key, headers });
  expect([overMcp.status, overMcp.text]).toEqual([429, overRest.text]);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    expect(overMcp.headers.get(name), name).toBe(overRest.headers.get(name));
  expect(Number(overMcp.headers.get('retry-after'))).toBeGreaterThan(0);
  const batch = await callMcp(limited, [list, list], { key, headers });
  expect([batch.status, batch.text]).toEqual([429, overRest.text]);
});

test('a suspended account is answered as over REST', async () => {
  const { key, accountId } = world;
  const { database } = service.db;
  await database.transaction((tx) => suspendAccount(accountWriter(tx, { accountId, now: new Date() })));
  const headers = { 'X-Request-Id': 'same' };
  const overRest = await callRest(service, 'GET /webinars', { key, headers });
  for (const message of [
    { id: 1, method: 'tools/list' },
    { id: 1, method: 'tools/call', params: { name: 'list_webinars' } },
  ]) {
    const overMcp = await callMcp(service, message, { key, headers });
    expect([overMcp.status, overMcp.text], message.method).toEqual([403, overRest.text]);
  }
});
