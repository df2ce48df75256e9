// Tables that grow with traffic are range-partitioned by UTC day on their UUIDv7 id (the id carries its time).
import type pg from 'pg';
import { idAt } from './id.ts';

export interface PartitionedTable {
  schema: string;
  table: string;
}

const dayMs = 86_400_000;

/**
 * Creates the daily partitions from yesterday to `daysAhead` days after `now`, those that are missing.
 * A row outside them goes to the table's default partition: late upkeep is an alarm, never a lost row.
 */
export async function ensurePartitions(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  { now, daysAhead }: { now: Date; daysAhead: number },
): Promise<void> {
  for (const { schema, table } of tables) {
    for (let day = -1; day <= daysAhead; day += 1) {
      const start = startOfDay(now.getTime() + day * dayMs);
      const name = partitionName(table, start);
      await pool.query(
        `create table if not exists ${schema}.${name} partition of ${schema}.${table}
         for values from ('${idAt(start)}') to ('${idAt(new Date(start.getTime() + dayMs))}')`,
      );
    }
  }
}

/** Drops every daily partition whose day ended before `before`; returns their names. */
export async function dropPartitionsBefore(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  before: Date,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { schema, table } of tables) {
    const oldest = partitionName(table, startOfDay(before.getTime()));
    const partitions = await pool.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass and c.relname ~ $2 and c.relname < $3 order by 1`,
      [`${schema}.${table}`, `^${table}_[0-9]{8}$`, oldest],
    );
    for (const { name } of partitions.rows) {
      await pool.query(`drop table ${schema}.${name}`);
      dropped.push(`${schema}.${name}`);
    }
  }
  return dropped;
}

const startOfDay = (time: number): Date => new Date(Math.floor(time / dayMs) * dayMs);

const partitionName = (table: string, day: Date): string =>
  `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
