// Tables that grow with traffic are range-partitioned by UTC day on their UUIDv7 id (the id carries its time).
import type pg from 'pg';
import { idAt } from './id.ts';
import { isCheckViolation } from './pg-error.ts';

export interface PartitionedTable {
  schema: string;
  table: string;
}

const dayMs = 86_400_000;

/** Any fixed number: processes that keep the partitions at the same moment take turns. */
const upkeepLock = 7_216_340_552;

/**
 * Creates the daily partitions from yesterday to `daysAhead` days after `now`, those that are missing. A row outside of them
 * goes to the table's default partition: late upkeep is an alarm, never a lost row. Returns the names of partitions that
 * cannot be made any more, since the default one holds rows of their day already.
 */
export async function ensurePartitions(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  { now, daysAhead }: { now: Date; daysAhead: number },
): Promise<string[]> {
  const client = await pool.connect();
  try {
    // "if not exists" is no help against somebody who makes the same table at the same moment.
    await client.query('select pg_advisory_lock($1)', [upkeepLock]);
    const late: string[] = [];
    for (const table of tables) {
      for (let day = -1; day <= daysAhead; day += 1) {
        const start = startOfDay(now.getTime() + day * dayMs);
        if (!(await createPartition(client, table, start)))
          late.push(`${table.schema}.${partitionName(table.table, start)}`);
      }
    }
    return late;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [upkeepLock]).catch(() => undefined);
    client.release();
  }
}

/** False when the default partition holds rows of that day already. */
async function createPartition(
  client: pg.ClientBase,
  { schema, table }: PartitionedTable,
  start: Date,
): Promise<boolean> {
  const [from, to] = [idAt(start), idAt(new Date(start.getTime() + dayMs))];
  try {
    await client.query(
      `create table if not exists ${schema}.${partitionName(table, start)}
       partition of ${schema}.${table} for values from ('${from}') to ('${to}')`,
    );
    return true;
  } catch (error) {
    if (isCheckViolation(error)) return false;
    throw error;
  }
}

/**
 * Drops every daily partition whose day ended before `before`, and deletes what is as old from the default ones.
 * Returns the names of what was dropped.
 */
export async function dropPartitionsBefore(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  before: Date,
): Promise<string[]> {
  const dropped: string[] = [];
  const firstKept = startOfDay(before.getTime());
  for (const { schema, table } of tables) {
    const partitions = await pool.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass and c.relname ~ $2 and c.relname < $3 order by 1`,
      [`${schema}.${table}`, `^${table}_[0-9]{8}$`, partitionName(table, firstKept)],
    );
    for (const { name } of partitions.rows) {
      await pool.query(`drop table ${schema}.${name}`);
      dropped.push(`${schema}.${name}`);
    }
    const [key] = await partitionKeys(pool, `${schema}.${table}`);
    await pool.query(`delete from ${schema}.${table}_default where ${key} < $1`, [idAt(firstKept)]);
  }
  return dropped;
}

/** The columns a table is partitioned by. */
async function partitionKeys(pool: pg.Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select a.attname as name from pg_partitioned_table p
     join pg_attribute a on a.attrelid = p.partrelid and a.attnum = any(p.partattrs::int2[])
     where p.partrelid = $1::regclass`,
    [table],
  );
  return rows.map((row) => row.name);
}

const startOfDay = (time: number): Date => new Date(Math.floor(time / dayMs) * dayMs);

const partitionName = (table: string, day: Date): string =>
  `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
