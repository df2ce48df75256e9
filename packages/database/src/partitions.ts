// Tables that grow with traffic are range-partitioned by UTC day on their UUIDv7 id (the id carries its time).
// Upkeep runs beside traffic: what would have to wait for a long reader is left for the next run.
import type pg from 'pg';
import { tryBriefly } from './brief-lock.ts';
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
 * goes to the table's default partition: late upkeep is an alarm, never a lost row. Names of partitions come back: `late`
 * cannot be made any more, since the default one holds rows of their day already; `held` has to wait for another run.
 */
export async function ensurePartitions(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  { now, daysAhead }: { now: Date; daysAhead: number },
): Promise<{ late: string[]; held: string[] }> {
  return takingTurns(pool, async (client) => {
    const late: string[] = [];
    const held: string[] = [];
    for (const table of tables) {
      const existing = new Set(await partitionsOf(client, table));
      for (let day = -1; day <= daysAhead; day += 1) {
        const start = startOfDay(now.getTime() + day * dayMs);
        const name = partitionName(table.table, start);
        if (existing.has(name)) continue;
        const outcome = await createPartition(client, table, start);
        if (outcome === 'late') late.push(`${table.schema}.${name}`);
        if (outcome === 'held') {
          held.push(`${table.schema}.${name}`);
          break;
        }
      }
    }
    return { late, held };
  });
}

/**
 * Made first and attached then: that locks only the default partition against readers, where "partition of" would lock the
 * whole table (https://www.postgresql.org/docs/current/sql-createtable.html#SQL-CREATETABLE-PARTITION).
 */
async function createPartition(
  client: pg.ClientBase,
  { schema, table }: PartitionedTable,
  start: Date,
): Promise<'made' | 'late' | 'held'> {
  const name = `${schema}.${partitionName(table, start)}`;
  const [from, to] = [idAt(start), idAt(new Date(start.getTime() + dayMs))];
  try {
    const isMade = await tryBriefly(client, [
      `create table ${name} (like ${schema}.${table} including all)`,
      `alter table ${schema}.${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
    ]);
    return isMade ? 'made' : 'held';
  } catch (error) {
    if (isCheckViolation(error)) return 'late';
    throw error;
  }
}

/**
 * Drops every daily partition whose day ended before `before`, and deletes what is as old from the default ones. Names come
 * back: `held` is what a long transaction keeps from being dropped, the first of each table; the next run tries again.
 */
export async function dropPartitionsBefore(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  before: Date,
): Promise<{ dropped: string[]; held: string[] }> {
  const firstKept = startOfDay(before.getTime());
  return takingTurns(pool, async (client) => {
    const dropped: string[] = [];
    const held: string[] = [];
    for (const table of tables) {
      const limit = partitionName(table.table, firstKept);
      for (const name of (await partitionsOf(client, table)).filter((name) => name < limit)) {
        // Never "detach concurrently": Postgres has no such thing beside a default partition.
        const isDropped = await tryBriefly(client, [`drop table ${table.schema}.${name}`]);
        (isDropped ? dropped : held).push(`${table.schema}.${name}`);
        if (!isDropped) break;
      }
      await deleteFromDefault(client, table, idAt(firstKept));
    }
    return { dropped, held };
  });
}

const batchMax = 5000;

/** A delete waits for nobody who only reads or inserts; batches keep each transaction short. */
async function deleteFromDefault(
  client: pg.ClientBase,
  { schema, table }: PartitionedTable,
  before: string,
): Promise<void> {
  const name = `${schema}.${table}_default`;
  const key = await partitionKey(client, `${schema}.${table}`);
  for (let deleted = batchMax; deleted === batchMax;) {
    const { rowCount } = await client.query(
      `delete from ${name} where ctid = any(array(select ctid from ${name} where ${key} < $1 limit ${batchMax}))`,
      [before],
    );
    deleted = rowCount ?? 0;
  }
}

async function takingTurns<Result>(
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

/** Names of the daily partitions, oldest first; the default one is not among them. */
async function partitionsOf(client: pg.ClientBase, { schema, table }: PartitionedTable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname ~ $2 order by 1`,
    [`${schema}.${table}`, `^${table}_[0-9]{8}$`],
  );
  return rows.map((row) => row.name);
}

/** The column a table is partitioned by. */
async function partitionKey(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select a.attname as name from pg_partitioned_table p
     join pg_attribute a on a.attrelid = p.partrelid and a.attnum = any(p.partattrs::int2[])
     where p.partrelid = $1::regclass`,
    [table],
  );
  return rows[0]!.name;
}

const startOfDay = (time: number): Date => new Date(Math.floor(time / dayMs) * dayMs);

const partitionName = (table: string, day: Date): string =>
  `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
