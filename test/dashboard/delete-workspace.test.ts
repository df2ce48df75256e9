import { purgeDeletedWorkspaces } from '@service/accounts';
import { purgers } from '@service/composition';
import { expect, test } from 'vitest';
import { callRest, createTestMember, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createEverything } from '../support/everything.ts';
import { createOwner } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';

/** The tables with rows of an account, and how many. */
async function rowsOf({ db }: TestApi, accountId: string): Promise<Record<string, number>> {
  const { rows: tables } = await db.database.pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where column_name = 'account_id' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rowCount } = await db.database.pool.query(`select from ${name} where account_id::text = $1`, [
      accountId,
    ]);
    if (rowCount) found[name] = rowCount;
  }
  return found;
}

test('an owner deletes a workspace: access ends at once, its rows are removed, and another workspace keeps all of its own', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const owner = await createOwner(service.api.service.accounts);
  const { accountId, key } = await createEverything(service, receiver.url, owner);
  const neighbour = await createEverything(service, receiver.url);
  await service.api.service.activity.flush();
  const asOwner = await openDashboard(service, owner);
  const member = await createTestMember(service, accountId);
  const asMember = await openDashboard(service, member);
  const { mutate } = asOwner;
  expect(await refusalOf(asMember.mutate('accounts.workspace.delete', { name: 'Test' }))).toBe(
    'owner_required',
  );
  expect(await refusalOf(mutate('accounts.workspace.delete', { name: 'test' }))).toBe('validation_failed');
  const before = await rowsOf(service, neighbour.accountId);
  expect(Object.keys(await rowsOf(service, accountId)).length).toBeGreaterThan(30);

  await mutate('accounts.workspace.delete', { name: 'Test' });
  expect(await refusalOf(asMember.query('keys.list'))).toBe('sign_in_required');
  expect((await callRest(service, 'GET /me', { key })).status).toBe(403);
  await service.api.service.activity.flush();
  const { query } = service.db.database;
  const now = new Date();
  expect(await purgeDeletedWorkspaces(query, now, purgers)).toBeGreaterThan(30);
  expect(await rowsOf(service, accountId)).toEqual({ 'accounts.deleted_workspace': 1 });
  expect((await callRest(service, 'GET /me', { key })).status).toBe(401);
  expect(await purgeDeletedWorkspaces(query, now, purgers)).toBe(0);
  await purgeDeletedWorkspaces(query, new Date(now.getTime() + 25 * 3_600_000), purgers);
  expect(await rowsOf(service, accountId)).toEqual({});
  expect(await rowsOf(service, neighbour.accountId)).toEqual(before);
  expect((await callRest(service, 'GET /me', { key: neighbour.key })).status).toBe(200);
});
