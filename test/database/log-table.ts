import { idAt, type Database, type PartitionedTable } from '@service/database';
import { test as base } from '../support/database-test.ts';

export const day = (text: string) => new Date(`${text}T12:00:00Z`);

/** A partitioned table of the test's own, with a small table `log.waiting` that names rows of it. */
export async function createLogTable(
  pool: Database['pool'],
  { period = 'day' }: Partial<PartitionedTable> = {},
) {
  await pool.query('create schema log');
  await pool.query('create table log.line (id uuid primary key) partition by range (id)');
  await pool.query('create table log.line_default partition of log.line default');
  await pool.query('create table log.waiting (line_id uuid primary key)');
  const table: PartitionedTable = {
    schema: 'log',
    table: 'line',
    period,
    retention: 'history',
    usedBy: { table: 'log.waiting', column: 'line_id' },
  };
  return {
    tables: [table],
    /** Rows of a moment; comes back with the id of the last. */
    async write(at: Date, rows = 1): Promise<string> {
      const { rows: written } = await pool.query<{ id: string }>(
        `insert into log.line select (left($1, 18) || substr(gen_random_uuid()::text, 19))::uuid
         from generate_series(1, $2) returning id`,
        [idAt(at), rows],
      );
      return written.at(-1)!.id;
    },
    wait: (id: string) => pool.query('insert into log.waiting values ($1)', [id]),
    /** The number of rows of each partition. */
    rows: async () => {
      const { rows } = await pool.query(
        'select tableoid::regclass::text as name, count(*)::int from log.line group by 1 order by 1',
      );
      return Object.fromEntries(rows.map((row) => [row.name, row.count]));
    },
  };
}

/** With a daily log table. */
export const test = base.extend('log', ({ pool }) => createLogTable(pool));
