import { expect, test } from 'vitest';
import {
  createTestAccount,
  createTestKey,
  createTestToken,
  createTestWorld,
  testApi,
} from '../support/api.ts';
import { activityRows, callMcp, postMcp, type McpAnswer } from '../support/mcp.ts';

/** Longer than the bodies that are read before their sender is known. */
const long = 'x'.repeat(100_000);

/** A call whose body has the length of `q`. */
const call = (q: string) => ({
  id: 1,
  method: 'tools/call',
  params: { name: 'list_webinars', arguments: { q } },
});

const left = ({ headers }: Pick<McpAnswer, 'headers'>): number =>
  Number(headers.get('x-ratelimit-remaining'));

test('a long body is read for a credential with calls left only, and takes one unit as a short one', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { key } = world;
  const before = await callMcp(service, { id: 0, method: 'ping' }, { key });
  const refused = await callMcp(service, call(long), { key });
  expect([refused.status, refused.response.result.isError, left(before) - left(refused)]).toEqual([
    200,
    true,
    1,
  ]);
  const batch = await callMcp(service, [call(long), call('Ada')], { key });
  expect(batch.responses.map(({ result }) => result.isError === true)).toEqual([true, false]);
  expect(left(refused) - left(batch)).toBe(2);

  const { key: other } = await createTestKey(service, world.accountId, { scopes: ['revenue:read'] });
  const unknown = `${key.slice(0, -4)}xxxx`;
  const headers = { 'X-Request-Id': 'same' };
  const short = await callMcp(service, call('Ada'), { key: unknown, headers });
  for (const sent of [other, unknown]) {
    const answer = await callMcp(service, call(long), { key: sent, headers });
    expect([answer.status, answer.text]).toEqual([401, short.text]);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  }
});

test('a token without the scope of its call takes one unit, and a key only if its body is long and so was read', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const scopes = ['revenue:read'] as const;
  const { token } = await createTestToken(service, accountId, { scopes });
  const { key } = await createTestKey(service, accountId, { scopes });
  const used = async (sent: string, q: string, path: '/mcp' | '/mcp/connect'): Promise<[number, number]> => {
    const ping = () => callMcp(service, { id: 0, method: 'ping' }, { key });
    const before = left(await ping());
    const { status } = await callMcp(service, call(q), { key: sent, path });
    // The second ping takes one unit too.
    return [status, before - left(await ping()) - 1];
  };
  expect(await used(token, 'Ada', '/mcp/connect')).toEqual([403, 1]);
  expect(await used(token, long, '/mcp/connect')).toEqual([403, 1]);
  expect(await used(key, 'Ada', '/mcp')).toEqual([401, 0]);
  expect(await used(key, long, '/mcp')).toEqual([401, 1]);
});

test('a body whose sender has no calls left is not read, so also a malformed one is answered 429', async () => {
  await using limited = await testApi({ rateLimit: { requests: 2, windowSeconds: 10_000_000 } });
  const { accountId } = await createTestAccount(limited);
  const { key } = await createTestKey(limited, accountId);
  const malformed = `{"q":"${long}`;
  const answers = [];
  for (let count = 0; count < 3; count += 1) answers.push(await postMcp(limited, malformed, { key }));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 429]);
  expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await activityRows(limited, accountId)).at(-1)).toMatchObject({
    method: 'POST',
    path: '/mcp',
    status: 429,
  });
});
