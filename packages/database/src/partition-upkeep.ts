// Shared by making and dropping partitions.
import type pg from 'pg';
import { partitionPattern, type PartitionedTable } from './partition-period.ts';

/** A fixed number. Processes that change partitions at the same time take turns. */
const upkeepLock = 7_216_340_552;

export async function takingTurns<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [upkeepLock]);
    return await work(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [upkeepLock]).catch(() => undefined);
    client.release();
  }
}

/** The names of the partitions, oldest first, without the default one. */
export async function partitionsOf(client: pg.ClientBase, table: PartitionedTable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname ~ $2 order by 1`,
    [`${table.schema}.${table.table}`, partitionPattern(table)],
  );
  return rows.map((row) => row.name);
}

/** The column a table is partitioned by. */
export async function partitionKey(
  client: pg.ClientBase,
  { schema, table }: PartitionedTable,
): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_partitioned_table p
     join pg_attribute a on a.attrelid = p.partrelid and a.attnum = any(p.partattrs::int2[])
     where p.partrelid = $1::regclass`,
    [`${schema}.${table}`],
  );
  return rows[0]!.name;
}
