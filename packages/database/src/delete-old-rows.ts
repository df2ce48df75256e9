// Old history is deleted by whole partitions, and old rows of other tables in batches. A wrong clock must not delete all of it at
// once, so each round has a limit that does not depend on a clock.
import type pg from 'pg';
import { tryBriefly } from './brief-lock.ts';
import { idAt, idTime } from './id.ts';
import {
  partitionKey,
  partitionName,
  partitionsOf,
  startOfPartition,
  startOfPeriod,
  takingTurns,
  type PartitionedTable,
} from './partition.ts';
import { statement, type Query } from './query.ts';
import { column, nullable } from './row.ts';

/** The limit of one round of any deletion: the days after the oldest row that may be deleted. */
export const roundDaysMax = 2;

const roundPeriodsMax = { day: roundDaysMax, month: 1 };

interface Dropped {
  dropped: string[];
  /** The first partition of each table that a long transaction uses. The next round tries it again. */
  postponed: string[];
  /** Old partitions with a row that is in use by `usedBy`. */
  inUse: string[];
}

/**
 * Drops the partitions of a time before `before`, and deletes rows of that time from the default partitions. One call deletes the
 * oldest two days or the oldest month of each table. A partition with a row in use stays. Returns names of partitions.
 */
export async function dropPartitionsBefore(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  before: Date,
): Promise<Dropped> {
  return takingTurns(pool, async (client) => {
    const all: Dropped = { dropped: [], postponed: [], inUse: [] };
    for (const table of tables) {
      const ofTable = await dropOfTable(client, table, before);
      for (const outcome of ['dropped', 'postponed', 'inUse'] as const)
        all[outcome].push(...ofTable[outcome].map((name) => `${table.schema}.${name}`));
    }
    return all;
  });
}

async function dropOfTable(client: pg.ClientBase, table: PartitionedTable, before: Date): Promise<Dropped> {
  const result: Dropped = { dropped: [], postponed: [], inUse: [] };
  const firstKept = startOfPeriod(table.period, before);
  const limit = partitionName(table, firstKept);
  const droppable: string[] = [];
  for (const name of (await partitionsOf(client, table)).filter((one) => one < limit))
    ((await isInUse(client, table, name)) ? result.inUse : droppable).push(name);
  const inDefault = await createDefaultSweep(client, table);
  const oldest = [
    ...droppable.slice(0, 1).map((name) => startOfPartition(table, name)),
    ...(await inDefault.oldestBefore(firstKept)),
  ].toSorted((a, b) => a.getTime() - b.getTime())[0];
  if (!oldest) return result;
  const roundEnd = startOfPeriod(table.period, oldest, roundPeriodsMax[table.period]);
  const end = roundEnd < firstKept ? roundEnd : firstKept;
  for (const name of droppable.filter((one) => startOfPartition(table, one) < end)) {
    // Not "detach concurrently": Postgres does not support it for a table with a default partition.
    const isDropped = await tryBriefly(client, [`drop table ${table.schema}.${name}`]);
    (isDropped ? result.dropped : result.postponed).push(name);
    if (!isDropped) break;
  }
  await inDefault.deleteBefore(end);
  return result;
}

async function isInUse(client: pg.ClientBase, table: PartitionedTable, name: string): Promise<boolean> {
  if (!table.usedBy) return false;
  const start = startOfPartition(table, name);
  const { table: user, column } = table.usedBy;
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from ${user} where ${column} >= $1 and ${column} < $2) as used`,
    [idAt(start), idAt(startOfPeriod(table.period, start, 1))],
  );
  return rows[0]!.used;
}

const batchMax = 5000;

/** Searches and deletes old rows of the default partition, except rows in use. */
async function createDefaultSweep(client: pg.ClientBase, table: PartitionedTable) {
  const name = `${table.schema}.${table.table}_default`;
  const key = await partitionKey(client, table);
  const { usedBy } = table;
  const isUnused = usedBy
    ? `not exists (select from ${usedBy.table} used where used.${usedBy.column} = kept.${key})`
    : 'true';
  return {
    /** The start of the period of its oldest row, if there is a row before `before`. */
    async oldestBefore(before: Date): Promise<Date[]> {
      const { rows } = await client.query<{ key: string }>(
        `select ${key} as key from ${name} kept where ${key} < $1 and ${isUnused} order by ${key} limit 1`,
        [idAt(before)],
      );
      return rows.map((row) => startOfPeriod(table.period, idTime(row.key)));
    },
    /** No reader and no insert waits for it. Batches keep each transaction short. */
    async deleteBefore(before: Date): Promise<void> {
      for (let deleted = batchMax; deleted === batchMax;) {
        const { rowCount } = await client.query(
          `delete from ${name} where ctid = any(array(
             select ctid from ${name} kept where ${key} < $1 and ${isUnused} limit ${batchMax}))`,
          [idAt(before)],
        );
        deleted = rowCount ?? 0;
      }
    },
  };
}

interface OldRows {
  /** With its schema. */
  table: string;
  /** The column with the time. */
  time: string;
  /** False for a table without accounts. */
  hasAccounts?: boolean;
}

interface DeleteOptions {
  before: Date;
  /** Rows of one statement; 5000. */
  batchMax?: number;
}

/**
 * Makes the function that deletes rows of all accounts from before a time: those of the oldest two days at most, in short
 * transactions, without the rows that another transaction has locked. It returns their number. The statements have no name, so
 * that they are planned for the present size of the table.
 */
export function createOldRowsDeleter({ table, time, hasAccounts = true }: OldRows) {
  const scope = hasAccounts ? { allAccounts: 'Old rows of all accounts are deleted.' } : {};
  const findUntil = statement({
    text: `
      select least($1, min(${time}) + make_interval(days => ${roundDaysMax})) as until from ${table}
      where ${time} < $1`,
    row: { until: nullable(column.time) },
    ...scope,
  });
  const deleteBatch = statement({
    text: `
      with deleted as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${time} < $1 limit $2 for update skip locked))
        returning 1
      )
      select count(*)::int as deleted from deleted`,
    row: { deleted: column.integer },
    ...scope,
  });
  return async (query: Query, { before, batchMax = 5000 }: DeleteOptions): Promise<number> => {
    const [old] = await query(findUntil, [before]);
    for (let deleted = 0; ;) {
      const [batch] = await query(deleteBatch, [old!.until, batchMax]);
      deleted += batch!.deleted;
      if (batch!.deleted < batchMax) return deleted;
    }
  };
}
