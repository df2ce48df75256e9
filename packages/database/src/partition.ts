// A partition contains one day or one month in UTC, and is named after its first day: `delivery_20261122`, `attendee_event_202611`.
import type pg from 'pg';
import type { Statement } from './query.ts';

export interface PartitionedTable {
  schema: string;
  table: string;
  /** The length of a partition. Rows that are kept for years have months, so that there are fewer partitions. */
  period: Period;
  /** The setting for the retention of its rows: RETENTION_DAYS, BODY_RETENTION_DAYS or EVENT_RETENTION_DAYS. `week`: seven days. */
  retention: 'history' | 'bodies' | 'events' | 'week';
  /** A small table with a column that refers to the partition key. Rows in use there are never deleted. */
  usedBy?: { table: string; column: string };
}

type Period = 'day' | 'month';

export const dayMs = 86_400_000;

/** The start of the day or the month that is `offset` periods after the one of `time`. */
export function startOfPeriod(period: Period, time: Date, offset = 0): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + offset) : Date.UTC(year, month + offset, 1));
}

export function partitionName({ table, period }: PartitionedTable, start: Date): string {
  const digits = start.toISOString().slice(0, 10).replaceAll('-', '');
  return `${table}_${period === 'day' ? digits : digits.slice(0, 6)}`;
}

/** The last statement of `inPartitions` for each whole one. */
const statementsInPartitions = new WeakMap<Statement, Statement>();

/**
 * The statement with the partitions of a time instead of the whole tables, which it names with their schema. Its plan can be kept: that
 * for a whole table locks each partition. Postgres refuses it (42P01) when there are no such partitions. Each day has a statement of its own, so
 * a connection keeps one more plan a day for as long as it is open.
 */
export function inPartitions<Row extends object>(
  whole: Statement<Row>,
  tables: readonly PartitionedTable[],
  time: Date,
): Statement<Row> {
  const name = `${whole.name}.${time.toISOString().slice(0, 10)}`;
  const last = statementsInPartitions.get(whole);
  if (last?.name === name) return last as Statement<Row>;
  let { text } = whole;
  for (const { schema, table, ...rest } of tables) {
    const partition = partitionName({ schema, table, ...rest }, startOfPeriod(rest.period, time));
    text = text.replaceAll(new RegExp(`\\b${schema}\\.${table}\\b`, 'gu'), `${schema}.${partition}`);
  }
  const made = { ...whole, name, text };
  statementsInPartitions.set(whole, made);
  return made;
}

/** A regular expression of Postgres for the names of a table's partitions, without the default one. */
export const partitionPattern = ({ table, period }: PartitionedTable): string =>
  `^${table}_[0-9]{${period === 'day' ? 8 : 6}}$`;

/** The start of the time of a partition. */
export function startOfPartition({ table }: PartitionedTable, name: string): Date {
  const digits = name.slice(table.length + 1);
  return new Date(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8) || '01'}T00:00:00Z`);
}

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
