// An owner deletes a workspace. Its members lose access at once, and its keys, rules and mails stop, as if it were suspended. A worker removes
// the rows of all modules within minutes, and again a day later, for what running work has written in the meantime.
import { column, statement, type AccountWriter, type Query } from '@service/database';
import { commonErrors } from '@service/errors';
import { lockMembers } from './members.ts';
import type { Suspension } from './suspension.ts';
import { getWorkspace } from './workspace.ts';

const insertDeleted = statement({
  name: 'accounts.insert_deleted_workspace',
  text: 'insert into accounts.deleted_workspace (account_id, deleted_at, next_purge_at) values ($1, $2, $2)',
});

const deleteOrganization = statement({
  name: 'accounts.delete_organization',
  text: 'delete from accounts.organization where id = $1',
});

interface Deletion {
  ownerId: string;
  /** Typed by the owner. It must be the name of the workspace. */
  name: string;
}

/** Throws owner_required, validation_failed. */
export async function deleteWorkspace(
  tx: AccountWriter,
  { ownerId, name }: Deletion,
  { suspendAccount }: Pick<Suspension, 'suspendAccount'>,
): Promise<void> {
  await lockMembers(tx, ownerId);
  const workspace = await getWorkspace(tx);
  if (workspace.name !== name)
    throw commonErrors.validation_failed({
      issues: [{ path: 'name', message: 'Must be the name of the workspace.' }],
    });
  await suspendAccount(tx);
  await tx.query(insertDeleted, [tx.accountId, tx.now]);
  await tx.query(deleteOrganization, [tx.accountId]);
}

const selectDue = statement({
  name: 'accounts.select_due_purges',
  text: `
    select account_id, deleted_at from accounts.deleted_workspace
    where next_purge_at <= $1 order by next_purge_at limit 10`,
  row: { account_id: column.id, deleted_at: column.time },
  allAccounts: 'A worker purges the deleted workspaces of all accounts.',
});

const secondPurgeHours = 24;

const postpone = statement({
  name: 'accounts.postpone_purge',
  text: 'update accounts.deleted_workspace set next_purge_at = $2 where account_id = $1',
});

const finish = statement({
  name: 'accounts.finish_purge',
  text: 'delete from accounts.deleted_workspace where account_id = $1',
});

/**
 * Removes rows that have no index by account, such as the attempts of deliveries, together with those that lead to them. Called again
 * until it returns fewer rows than the limit.
 */
export type PurgeRows = (query: Query, accountId: string, limit: number) => Promise<number>;

/** Every table with an index by account, partitions one by one, so that a row is found by its place. What stops the account goes last. */
const selectTables = statement({
  name: 'accounts.select_tables_of_accounts',
  text: `
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum)
      and c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'
      and (n.nspname, c.relname) <> ('accounts', 'deleted_workspace')
    order by c.relname = 'suspended_account', 1`,
  row: { name: column.text },
});

const batchMax = 1000;
/** Batches of one run. A large workspace takes several runs. */
const batchesMax = 500;

/** Removes rows of deleted workspaces, a bounded number in each run. Returns how many. */
export async function purgeDeletedWorkspaces(
  query: Query,
  now: Date,
  purgers: readonly PurgeRows[],
): Promise<number> {
  const due = await query(selectDue, [now]);
  if (due.length === 0) return 0;
  const tables = await query(selectTables, []);
  const ofTables = tables.map(({ name }): PurgeRows => {
    const deleteBatch = batchOf(name);
    return async (run, ...values) => (await run(deleteBatch, values))[0]!.deleted;
  });
  let deleted = 0;
  let batches = 0;
  for (const { account_id: accountId, deleted_at: deletedAt } of due) {
    for (const purge of [...purgers, ...ofTables]) {
      let rows: number;
      do {
        rows = await purge(query, accountId, batchMax);
        deleted += rows;
        // The next run goes on. A table without rows costs almost nothing.
        if (rows > 0 && (batches += 1) === batchesMax) return deleted;
      } while (rows === batchMax);
    }
    const second = new Date(deletedAt.getTime() + secondPurgeHours * 3_600_000);
    if (now < second) await query(postpone, [accountId, second]);
    else await query(finish, [accountId]);
  }
  return deleted;
}

/** Without a name, because there are hundreds of partitions. */
const batchOf = (table: string) =>
  statement({
    text: `
      with deleted as (
        delete from ${table} where ctid = any(array(select ctid from ${table} where account_id = $1 limit $2))
        returning 1
      )
      select count(*)::int as deleted from deleted`,
    row: { deleted: column.integer },
  });
