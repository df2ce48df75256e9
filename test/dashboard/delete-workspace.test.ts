import { purgeDeletedWorkspaces, type PurgeRows } from '@service/accounts';
import { purgers } from '@service/composition';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestMember, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
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

const fail = (error: unknown): never => {
  throw error;
};

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
  const purge = (at: Date) =>
    purgeDeletedWorkspaces(query, at, { purgers, signal: AbortSignal.timeout(60_000), onFailure: fail });
  await eventually('a purge to find nothing', async () => (await purge(new Date())) === 0);
  expect(await rowsOf(service, accountId)).toEqual({ 'accounts.deleted_workspace': 1 });
  expect((await callRest(service, 'GET /me', { key })).status).toBe(401);
  await purge(new Date(Date.now() + 25 * 3_600_000));
  expect(await rowsOf(service, accountId)).toEqual({});
  expect(await rowsOf(service, neighbour.accountId)).toEqual(before);
  expect((await callRest(service, 'GET /me', { key: neighbour.key })).status).toBe(200);
});

test('deleted workspaces take turns: a large one and one that fails delay no other, two workers take none at the same time, and a stopping worker ends its turn', async () => {
  await using service = await testApi();
  const { query, pool } = service.db.database;
  const names = new Map<string, 'failing' | 'large' | 'small'>();
  for (const name of ['failing', 'large', 'small'] as const) {
    const owner = await createTestAccount(service);
    await (await openDashboard(service, owner)).mutate('accounts.workspace.delete', { name: 'Test' });
    names.set(owner.accountId, name);
  }
  const batches = { failing: 0, large: 0, small: 0 };
  const running = new Set<string>();
  const failures: unknown[] = [];
  const stopping = new AbortController();
  let largeBeforeSmall: number | undefined;
  const purgeFake: PurgeRows = async (_query, accountId) => {
    expect(running).not.toContain(accountId);
    running.add(accountId);
    await setImmediate();
    running.delete(accountId);
    const name = names.get(accountId)!;
    batches[name] += 1;
    if (name === 'failing') throw new Error('The table is locked');
    if (name === 'small') largeBeforeSmall ??= batches.large;
    if (batches.large === 50) stopping.abort();
    // A batch that is not full is not the last one.
    return batches[name] < (name === 'large' ? 250 : 5) ? 1 : 0;
  };
  const run = (signal: AbortSignal) =>
    purgeDeletedWorkspaces(query, new Date(), {
      purgers: [purgeFake],
      signal,
      onFailure: (error) => failures.push(error),
    });
  await run(stopping.signal);
  expect(batches).toEqual({ failing: 1, large: 50, small: 0 });
  expect(failures).toEqual([new Error('The table is locked')]);

  const hoursUntilNext = async () => {
    const { rows } = await pool.query<{ account_id: string; hours: number }>(
      `select account_id, round(extract(epoch from next_purge_at - now()) / 3600)::int as hours from accounts.deleted_workspace`,
    );
    return Object.fromEntries(rows.map((row) => [names.get(row.account_id), row.hours]));
  };
  const { signal } = new AbortController();
  const isEmpty = async () => {
    await Promise.all([run(signal), run(signal)]);
    const { large, small } = await hoursUntilNext();
    return large === 24 && small === 24;
  };
  await eventually('both workspaces to be empty', isEmpty);
  expect(largeBeforeSmall).toBeLessThanOrEqual(150);
  // A pass over all tables that deletes nothing follows the last batch with rows.
  expect(batches.small).toBeGreaterThan(5);
  expect(await hoursUntilNext()).toMatchObject({ failing: 0 });
});
