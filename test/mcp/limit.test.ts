import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, createTestToken, testApi } from '../support/api.ts';
import { startApiProcess } from '../support/api-process.ts';
import { callMcp } from '../support/mcp.ts';

test('an account has exactly its limit over REST, keys and grants together, on two processes', async () => {
  await using service = await testApi();
  const rateLimit = { requests: 60, windowSeconds: 86_400 };
  const processes = [1, 2].map(() => startApiProcess(service.db.url, { rateLimit }));
  await using first = await processes[0]!;
  await using second = await processes[1]!;
  const { accountId } = await createTestAccount(service);
  const keys = [await createTestKey(service, accountId), await createTestKey(service, accountId)];
  const { token } = await createTestToken(service, accountId);
  const grant = { key: token, path: '/mcp/connect' } as const;
  const list = { id: 1, method: 'tools/call', params: { name: 'list_webinars' } };
  const calls = Array.from({ length: 40 }, async (_, index) => {
    const at = index % 8 < 4 ? first : second;
    const { key } = keys[index % 16 < 8 ? 0 : 1]!;
    if (index % 4 === 0) return [(await callRest(at, 'GET /webinars', { key })).status];
    if (index % 4 === 1) return [(await callMcp(at, list, { key })).status];
    if (index % 4 === 2) return [(await callMcp(at, list, grant)).status];
    const { status, responses } = await callMcp(at, [list, { id: 2, method: 'ping' }], { key });
    // Of a batch at the limit only the first call is admitted. A batch beyond it is refused as a whole.
    return status === 429 ? [429, 429] : responses.map(({ error }) => (error ? 429 : 200));
  });
  const statuses = (await Promise.all(calls)).flat();
  expect(statuses).toHaveLength(50);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const more = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      callMcp(first, list, index % 2 === 0 ? grant : { key: keys[0]!.key }),
    ),
  );
  expect(more.filter(({ status }) => status === 200)).toHaveLength(10);
  const last = await callMcp(second, [list, list], { key: keys[1]!.key });
  expect([last.status, last.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
  const lastOfGrant = await callMcp(second, list, grant);
  expect([lastOfGrant.status, lastOfGrant.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
});
