import { createId, dropPartitionsBefore, ensurePartitions } from '@service/database';
import pg from 'pg';
import { expect } from 'vitest';
import { createLogTable, day, test } from './log-table.ts';

test('a row goes to the partition of its day, and without one to the default partition', async ({
  pool,
  log,
}) => {
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

test('a partition that is made late moves its rows out of the default partition', async ({ pool, log }) => {
  await log.write(day('2027-03-01'));
  const made = await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 2 });
  expect(made).toEqual({ late: [], postponed: [] });
  for (const at of ['2027-03-01', '2027-03-02', '2027-03-03']) await log.write(day(at));
  expect(await log.rows()).toEqual({
    'log.line_20270301': 2,
    'log.line_20270302': 1,
    'log.line_20270303': 1,
  });
});

test('a partition whose day has too many rows in the default one is reported, and the other days are made', async ({
  pool,
  log,
}) => {
  await log.write(day('2027-03-01'), 20_001);
  const made = await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 2 });
  expect(made).toEqual({ late: ['log.line_20270301'], postponed: [] });
  for (const at of ['2027-03-02', '2027-03-03']) await log.write(day(at));
  expect(await log.rows()).toEqual({
    'log.line_20270302': 1,
    'log.line_20270303': 1,
    'log.line_default': 20_001,
  });
});

test('a monthly table has partitions from yesterday’s month to two months ahead', async ({ pool }) => {
  const log = await createLogTable(pool, { period: 'month' });
  await ensurePartitions(pool, log.tables, { now: day('2027-01-01'), daysAhead: 7 });
  for (const at of [
    '2026-11-30',
    '2026-12-31',
    '2027-01-01',
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-01',
  ])
    await log.write(day(at));
  expect(await log.rows()).toEqual({
    'log.line_202612': 1,
    'log.line_202701': 2,
    'log.line_202702': 1,
    'log.line_202703': 1,
    'log.line_default': 2,
  });
});

test('upkeep at the same moment by two workers makes each partition once', async ({ pool, log }) => {
  const options = { now: day('2027-03-01'), daysAhead: 5 };
  const both = await Promise.all([
    ensurePartitions(pool, log.tables, options),
    ensurePartitions(pool, log.tables, options),
  ]);
  expect(both).toEqual([
    { late: [], postponed: [] },
    { late: [], postponed: [] },
  ]);
});

test('upkeep beside a long reader blocks no session, reports what it had to leave, and does it when the reader has gone', async ({
  db,
  pool,
  log,
}) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 1 });
  await log.write(day('2027-02-27'));
  const reader = await pool.connect();
  await reader.query('begin');
  // It has looked everywhere, the default partition included, and stays.
  await reader.query('select count(*) from log.line');
  const traffic = startTraffic(db.url, day('2027-03-01'));

  const sweep = await dropPartitionsBefore(pool, log.tables, day('2027-03-02'));
  const made = await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 3 });
  expect(sweep).toEqual({ dropped: [], postponed: ['log.line_20270228'], inUse: [] });
  expect(made).toEqual({ late: [], postponed: ['log.line_20270303'] });

  await reader.query('commit');
  reader.release();
  const next = await dropPartitionsBefore(pool, log.tables, day('2027-03-01'));
  const later = await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 3 });
  expect(next).toEqual({ dropped: ['log.line_20270228'], postponed: [], inUse: [] });
  expect(later).toEqual({ late: [], postponed: [] });

  // It wrote and read through all of that, or `stop` would have thrown what it was refused.
  const written = await traffic.stop();
  expect(written).toBeGreaterThan(0);
  await log.write(day('2027-03-04'));
  expect(await log.rows()).toEqual({ 'log.line_20270301': written, 'log.line_20270304': 1 });
});

/** A session that inserts and reads without a pause and fails when it has to wait. Returns the number of its inserts. */
function startTraffic(url: string, at: Date): { stop(): Promise<number> } {
  const client = new pg.Client({ connectionString: url, application_name: 'traffic', lock_timeout: 3000 });
  let isStopped = false;
  const run = async (): Promise<number> => {
    await client.connect();
    let written = 0;
    try {
      for (; !isStopped || written === 0; written += 1) {
        await client.query('insert into log.line values ($1)', [createId(at)]);
        await client.query('select count(*) from log.line');
      }
    } finally {
      await client.end();
    }
    return written;
  };
  const ended = run();
  ended.catch(() => undefined);
  return {
    stop() {
      isStopped = true;
      return ended;
    },
  };
}

test('a new partition expects few accounts', async ({ pool, log }) => {
  await pool.query('alter table log.line add column account_id uuid');
  await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 0 });
  const { rows } = await pool.query(
    `select tablename, attname, n_distinct from pg_stats where schemaname = 'log' order by 1`,
  );
  expect(rows).toEqual([
    { tablename: 'line_20270228', attname: 'account_id', n_distinct: 5 },
    { tablename: 'line_20270301', attname: 'account_id', n_distinct: 5 },
  ]);
});
