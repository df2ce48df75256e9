// An owner deletes a workspace. Its members lose access at once, and its keys, rules and mails stop, as if it were suspended. A worker removes
// the rows of all modules, and again a day later, for what running work has written in the meantime. Deleted workspaces take turns: most are
// empty within minutes, a large one or one of many takes longer.
import { column, isFirstDue, statement, type AccountWriter, type Query } from '@service/database';
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

export const hasDuePurge = isFirstDue({ table: 'accounts.deleted_workspace', time: 'next_purge_at' });

// $1 now, $2 when another worker may take the workspace, if this one does not give it back.
const takeTurn = statement({
  name: 'accounts.take_purge_turn',
  text: `
    update accounts.deleted_workspace set next_purge_at = $2
    where account_id = (
      select account_id from accounts.deleted_workspace where next_purge_at <= $1
      order by next_purge_at limit 1 for update skip locked
    )
    returning account_id, deleted_at`,
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
 * until it returns 0.
 */
export type PurgeRows = (query: Query, accountId: string, limit: number) => Promise<number>;

/**
 * Every table with an index of all its rows by account, partitions one by one, so that a row is found by its place. Running work writes
 * a `lane` again while rows of its queue are there, so it goes last, together with what stops the account.
 */
const selectTables = statement({
  name: 'accounts.select_tables_of_accounts',
  text: `
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum and i.indpred is null)
      and c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'
      and (n.nspname, c.relname) <> ('accounts', 'deleted_workspace')
    order by c.relname in ('lane', 'suspended_account'), 1`,
  row: { name: column.text },
});

const batchMax = 1000;
/** Batches of one turn of a workspace. Then the next workspace has its turn. */
const turnBatchesMax = 100;
/** A run begins no turn after this time. A worker whose repeated work has not ended for 30 s is not ready. */
const runMaxMs = 1000;
/** A workspace whose turn failed, or whose worker has died, has its next turn after this time. */
const leaseMs = 5 * 60_000;

export interface PurgeOptions {
  purgers: readonly PurgeRows[];
  /** Ends the run after the present statement. */
  signal: AbortSignal;
  /** Gets the error of one workspace. The others go on. */
  onFailure: (error: unknown) => void;
}

/**
 * Removes rows of deleted workspaces for a limited time. The workspaces take turns, so that neither a large one nor one that fails stops the
 * others. Returns how many rows. `now` is the database's time.
 */
export async function purgeDeletedWorkspaces(
  query: Query,
  now: Date,
  { purgers, signal, onFailure }: PurgeOptions,
): Promise<number> {
  const startedMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedMs;
  const later = (ms: number): Date => new Date(now.getTime() + elapsedMs() + ms);
  const isOver = (): boolean => signal.aborted || elapsedMs() >= runMaxMs;
  let tables: PurgeRows[] | undefined;
  let deleted = 0;
  while (!isOver()) {
    const [turn] = await query(takeTurn, [later(0), later(leaseMs)]);
    if (!turn) break;
    const { account_id: accountId, deleted_at: deletedAt } = turn;
    try {
      tables ??= (await query(selectTables, [])).map(({ name }) => purgeTable(name));
      const result = await purgeInTurn({
        query,
        accountId,
        purgers: [...purgers, ...tables],
        signal,
        isOver,
      });
      deleted += result.deleted;
      const second = new Date(deletedAt.getTime() + secondPurgeHours * 3_600_000);
      if (!result.isEmpty) await query(postpone, [accountId, later(0)]);
      else if (now < second) await query(postpone, [accountId, second]);
      else await query(finish, [accountId]);
    } catch (error) {
      onFailure(error);
    }
  }
  return deleted;
}

interface Turn {
  query: Query;
  accountId: string;
  purgers: readonly PurgeRows[];
  signal: AbortSignal;
  isOver: () => boolean;
}

/**
 * Goes through all tables until a whole pass has deleted nothing: running work may write to a table after its rows are gone. The time of the
 * run is checked only after a batch with rows, so that a pass over many empty tables comes to its end. A stopping worker ends it at once.
 */
async function purgeInTurn({ query, accountId, purgers, signal, isOver }: Turn) {
  let deleted = 0;
  let batches = 0;
  let before: number;
  do {
    before = deleted;
    for (const purge of purgers) {
      if (signal.aborted) return { deleted, isEmpty: false };
      for (let rows; (rows = await purge(query, accountId, batchMax)) > 0;) {
        deleted += rows;
        if ((batches += 1) === turnBatchesMax || isOver()) return { deleted, isEmpty: false };
      }
    }
  } while (deleted > before);
  return { deleted, isEmpty: true };
}

/** The statement has no name, because there are hundreds of partitions. */
function purgeTable(table: string): PurgeRows {
  const deleteBatch = statement({
    text: `
      with deleted as (
        delete from ${table}
        where account_id = $1 and ctid = any(array(select ctid from ${table} where account_id = $1 limit $2))
        returning 1
      )
      select count(*)::int as deleted from deleted`,
    row: { deleted: column.integer },
  });
  return async (query, ...values) => (await query(deleteBatch, values))[0]!.deleted;
}
