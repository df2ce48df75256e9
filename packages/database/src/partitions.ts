// Tables that grow with traffic are partitioned by UTC day or month on their UUIDv7 id, which contains its time. A step that would
// wait for a long reader is postponed to the next run.
import type pg from 'pg';
import { tryBriefly } from './brief-lock.ts';
import { giveFirstStatistics } from './first-statistics.ts';
import { idAt } from './id.ts';
import {
  dayMs,
  partitionKey,
  partitionName,
  partitionsOf,
  startOfPeriod,
  takingTurns,
  type PartitionedTable,
} from './partition.ts';
import { isCheckViolation } from './pg-error.ts';

interface EnsureOptions {
  now: Date;
  /** Days after `now` that get daily partitions. */
  daysAhead: number;
  /** Months after the month of `now` that get monthly partitions. */
  monthsAhead?: number;
}

/**
 * Creates the missing partitions, from yesterday's on. A row without a partition is stored in the default partition, and moves to
 * its own one when that is created. Returns names of partitions: `late` cannot be created because the default partition contains
 * too many of their rows; `postponed` are left for the next run.
 */
export async function ensurePartitions(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  { now, daysAhead, monthsAhead = 2 }: EnsureOptions,
): Promise<{ late: string[]; postponed: string[] }> {
  const yesterday = new Date(now.getTime() - dayMs);
  const lastStart = {
    day: startOfPeriod('day', now, daysAhead),
    month: startOfPeriod('month', now, monthsAhead),
  };
  return takingTurns(pool, async (client) => {
    const late: string[] = [];
    const postponed: string[] = [];
    for (const table of tables) {
      const existing = new Set(await partitionsOf(client, table));
      let start = startOfPeriod(table.period, yesterday);
      for (; start <= lastStart[table.period]; start = startOfPeriod(table.period, start, 1)) {
        const name = partitionName(table, start);
        if (existing.has(name)) continue;
        const outcome = await createPartition(client, table, start);
        if (outcome === 'late') late.push(`${table.schema}.${name}`);
        if (outcome === 'postponed') {
          postponed.push(`${table.schema}.${name}`);
          break;
        }
      }
    }
    return { late, postponed };
  });
}

/** Rows that are moved out of the default partition at most. Its readers wait about 100 ms for them. */
const movedMax = 20_000;

/**
 * The partition is created and then attached. That locks only the default partition against readers; "partition of" would lock the
 * whole table (https://www.postgresql.org/docs/current/sql-createtable.html#SQL-CREATETABLE-PARTITION). Rows of its time are moved
 * from the default partition, because rows of one process with a clock ahead must not prevent the partition of a month.
 */
async function createPartition(
  client: pg.ClientBase,
  table: PartitionedTable,
  start: Date,
): Promise<'made' | 'late' | 'postponed'> {
  const parent = `${table.schema}.${table.table}`;
  const name = `${table.schema}.${partitionName(table, start)}`;
  const key = await partitionKey(client, table);
  const [from, to] = [idAt(start), idAt(startOfPeriod(table.period, start, 1))];
  const isOfPeriod = `${key} >= '${from}' and ${key} < '${to}'`;
  const { rowCount: misplaced } = await client.query(
    `select from ${parent}_default where ${isOfPeriod} limit ${movedMax + 1}`,
  );
  if ((misplaced ?? 0) > movedMax) return 'late';
  const move = [
    `lock table ${parent}_default in access exclusive mode`,
    `with moved as (delete from ${parent}_default where ${isOfPeriod} returning *) insert into ${name} select * from moved`,
  ];
  try {
    const isMade = await tryBriefly(client, [
      `create table ${name} (like ${parent} including all)`,
      giveFirstStatistics(name),
      ...(misplaced ? move : []),
      `alter table ${parent} attach partition ${name} for values from ('${from}') to ('${to}')`,
    ]);
    return isMade ? 'made' : 'postponed';
  } catch (error) {
    // A row was added to the default partition meanwhile.
    if (isCheckViolation(error)) return 'late';
    throw error;
  }
}
