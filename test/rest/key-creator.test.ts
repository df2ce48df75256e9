import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { accountWriter, lockLimit } from '@service/database';
import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestMember,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/lock-rows.ts';

const program = fileURLToPath(new URL('../../apps/local/src/admin.ts', import.meta.url));
const access = { scopes: ['webinars:read'], surfaces: ['rest'] };

test('a key names its creator in the list of keys and in Activity, also after the member has left and the key is revoked', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const { accountId } = owner;
  const max = await createTestMember(service, accountId);
  const asMax = await openDashboard(service, max);
  const asOwner = await openDashboard(service, owner);
  const createdBy = { kind: 'member', id: max.userId, name: 'Max' };
  const made = await asMax.mutate('keys.create', { label: 'By Max', ...access });
  expect(made.createdBy).toEqual(createdBy);
  const command = ['create-key', '--account', accountId, '--label', 'By hand', '--preset', 'read'];
  await promisify(execFile)(process.execPath, [program, ...command], {
    env: { ...process.env, DATABASE_URL: service.db.url },
  });

  await asOwner.mutate('accounts.members.remove', { userId: max.userId });
  const listed = await asOwner.query('keys.list');
  expect(listed[0]).toMatchObject({ preset: 'read', access: 'Read only' });
  expect(
    listed.map(({ label, createdBy }: { label: string; createdBy: unknown }) => [label, createdBy]),
  ).toEqual([
    ['By hand', { kind: 'operator' }],
    ['By Max', createdBy],
  ]);
  expect((await callRest(service, 'GET /webinars', { key: made.key })).status).toBe(200);
  await service.api.service.activity.flush();
  await asOwner.mutate('keys.revoke', { keyId: made.id });
  expect(await asOwner.query('activity.keys')).toEqual([
    { id: made.id, label: 'By Max', createdBy, kind: 'key' },
  ]);
}, 120_000);

test('keys that are older than the record of their creator work on, and their creator is unknown', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const { key } = await createTestKey(service, owner.accountId);
  await service.db.database.pool.query(
    `update keys.api_key set created_by_kind = 'unknown', created_by_id = null, created_by_name = null`,
  );
  expect((await callRest(service, 'GET /webinars', { key })).status).toBe(200);
  const dashboard = await openDashboard(service, owner);
  expect((await dashboard.query('keys.list'))[0].createdBy).toEqual({ kind: 'unknown' });
});

test('the removal of a member ends the keys that they made, if the owner chooses so, and no other keys', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const max = await createTestMember(service, owner.accountId);
  const asMax = await openDashboard(service, max);
  const asOwner = await openDashboard(service, owner);
  const byMax = await asMax.mutate('keys.create', { label: 'By Max', ...access });
  const byOwner = await asOwner.mutate('keys.create', { label: 'By the owner', ...access });
  await asOwner.mutate('accounts.members.remove', { userId: max.userId, revokesKeys: true });
  expect((await callRest(service, 'GET /webinars', { key: byMax.key })).status).toBe(401);
  expect((await callRest(service, 'GET /webinars', { key: byOwner.key })).status).toBe(200);
});

test('a member who is removed while their key is being made gets none', async () => {
  await using service = await testApi();
  const { database } = service.db;
  const { accountId } = await createTestAccount(service);
  const max = await createTestMember(service, accountId);
  const asMax = await openDashboard(service, max);
  const making = await database.transaction(async (tx) => {
    await lockLimit(accountWriter(tx, { accountId, now: new Date() }), 'keys.api_key');
    const made = refusalOf(asMax.mutate('keys.create', { label: 'Late', preset: 'full' }));
    await eventually('a call that waits for the lock', async () => (await countWaiting(database.pool)) > 0);
    await database.pool.query('delete from accounts.member where "userId" = $1', [max.userId]);
    return { made };
  });
  expect(await making.made).toBe('sign_in_required');
  expect((await database.pool.query('select from keys.api_key')).rowCount).toBe(0);
});

test('a key works until its end, which its caller can read, and must end in the future', async () => {
  await using service = await testApi();
  const asOwner = await openDashboard(service, await createTestAccount(service));
  const expiresAt = '2999-01-31T23:00:00.000Z';
  const made = await asOwner.mutate('keys.create', { label: 'Short', preset: 'read', expiresAt });
  expect(made.expiresAt).toBe(expiresAt);
  expect((await callRest(service, 'GET /me', { key: made.key })).json.data.key.expiresAt).toBe(expiresAt);
  const statuses = async () => [
    (await callRest(service, 'GET /me', { key: made.key })).status,
    await mcpStatus(service, made.key),
  ];
  expect(await statuses()).toEqual([200, 200]);
  await service.db.database.pool.query('update keys.api_key set expires_at = now() where id = $1', [made.id]);
  expect(await statuses()).toEqual([401, 401]);
  // It stays in the list until an owner revokes it.
  expect((await asOwner.query('keys.list'))[0].expiresAt).not.toBeNull();
  const past = asOwner.mutate('keys.create', {
    label: 'Late',
    ...access,
    expiresAt: '2020-01-01T00:00:00Z',
  });
  expect(await refusalOf(past)).toBe('validation_failed');
});

async function mcpStatus({ baseUrl }: Pick<TestApi, 'baseUrl'>, key: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await answer.body?.cancel();
  return answer.status;
}
