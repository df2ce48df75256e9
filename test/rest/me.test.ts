import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';

test('any valid key may read its account and its scopes; an invalid one gets nothing', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key, id } = await createTestKey(service, accountId, {
    scopes: ['interactions:write'],
    surfaces: ['rest'],
  });
  const answer = await callRest(service, 'GET /me', { key });
  expect(answer.json).toStrictEqual({
    data: {
      account: { id: accountId, name: 'Test', timeZone: 'UTC' },
      key: { id, label: 'Test', scopes: ['interactions:write'], surfaces: ['rest'], expiresAt: null },
    },
  });
  const mcp = await createTestKey(service, accountId, { surfaces: ['mcp'] });
  expect((await callRest(service, 'GET /me', { key: mcp.key })).status).toBe(401);
});
