import { createId, dropPartitionsBefore, ensurePartitions } from '@service/database';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';

const day = (text: string) => new Date(`${text}T12:00:00Z`);

/** A partitioned table of the test's own. */
async function createLogTable(pool: Awaited<ReturnType<typeof testDatabase>>['database']['pool']) {
  await pool.query('create schema log');
  await pool.query('create table log.line (id uuid primary key) partition by range (id)');
  await pool.query('create table log.line_default partition of log.line default');
  return {
    tables: [{ schema: 'log', table: 'line' }],
    write: (at: Date) => pool.query('insert into log.line values ($1)', [createId(at)]),
    /** How many rows each partition holds. */
    rows: async () => {
      const { rows } = await pool.query(
        'select tableoid::regclass::text as name, count(*)::int from log.line group by 1 order by 1',
      );
      return Object.fromEntries(rows.map((row) => [row.name, row.count]));
    },
  };
}

test('a row goes to the partition of its day, and without one to the default partition', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const log = await createLogTable(pool);
  await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 1 });
  for (const at of ['2027-02-28', '2027-03-01', '2027-03-01', '2027-03-02', '2027-03-09'])
    await log.write(day(at));
  expect(await log.rows()).toEqual({
    'log.line_20270228': 1,
    'log.line_20270301': 2,
    'log.line_20270302': 1,
    'log.line_default': 1,
  });
});

test('upkeep that comes too late for one day is told, and does the other days', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const log = await createLogTable(pool);
  await log.write(day('2027-03-01'));
  const late = await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 2 });
  expect(late).toEqual(['log.line_20270301']);
  for (const at of ['2027-03-01', '2027-03-02', '2027-03-03']) await log.write(day(at));
  expect(await log.rows()).toEqual({ 'log.line_20270302': 1, 'log.line_20270303': 1, 'log.line_default': 2 });
});

test('upkeep at the same moment by two workers makes each partition once', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const log = await createLogTable(pool);
  const options = { now: day('2027-03-01'), daysAhead: 5 };
  const both = await Promise.all([
    ensurePartitions(pool, log.tables, options),
    ensurePartitions(pool, log.tables, options),
  ]);
  expect(both).toEqual([[], []]);
});

test('history is dropped by whole days, and from the default partition too', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const log = await createLogTable(pool);
  await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 2 });
  for (const at of ['2026-12-24', '2027-02-28', '2027-03-01', '2027-03-02']) await log.write(day(at));
  expect(await dropPartitionsBefore(pool, log.tables, day('2027-03-01'))).toEqual(['log.line_20270228']);
  expect(await log.rows()).toEqual({ 'log.line_20270301': 1, 'log.line_20270302': 1 });
});
