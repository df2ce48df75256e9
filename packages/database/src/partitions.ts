// Tables that grow with traffic are range-partitioned by UTC day or month on their UUIDv7 id (the id carries its time).
// Upkeep runs beside traffic: what would have to wait for a long reader is left for the next run.
import type pg from 'pg';
import { tryBriefly } from './brief-lock.ts';
import { idAt } from './id.ts';
import { dayMs, partitionName, startOfPeriod, type PartitionedTable } from './partition-period.ts';
import { partitionKey, partitionsOf, takingTurns } from './partition-upkeep.ts';
import { isCheckViolation } from './pg-error.ts';

interface EnsureOptions {
  now: Date;
  /** Days after `now` that get daily partitions. */
  daysAhead: number;
  /** Months after the month of `now` that get monthly partitions. */
  monthsAhead?: number;
}

/**
 * Creates the missing partitions, from that of yesterday on. A row outside of them goes to the table's default partition, and
 * into its own one as soon as that is made: late upkeep is an alarm, never a lost row. Names of partitions come back: `late`
 * cannot be made, since the default one holds too many rows of theirs; `postponed` has to wait for another run.
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

/** Rows that are moved out of the default partition while its readers wait: some 100 ms. */
const movedMax = 20_000;

/**
 * Made first and attached then: that locks only the default partition against readers, where "partition of" would lock the
 * whole table (https://www.postgresql.org/docs/current/sql-createtable.html#SQL-CREATETABLE-PARTITION). Rows of its time come
 * along from the default partition: one process whose clock was ahead must not keep a whole month from being made.
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
      ...(misplaced ? move : []),
      `alter table ${parent} attach partition ${name} for values from ('${from}') to ('${to}')`,
    ]);
    return isMade ? 'made' : 'postponed';
  } catch (error) {
    // A row came in between.
    if (isCheckViolation(error)) return 'late';
    throw error;
  }
}
