import { ensurePartitions, rebuildIndexes } from '@service/database';
import { expect } from 'vitest';
import { day, test } from './log-table.ts';

test('the indexes of one partition whose time is over are built again once, with full pages', async ({
  pool,
  log,
}) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-02'), daysAhead: 5 });
  for (const at of ['2027-03-01', '2027-03-02', '2027-03-03']) await log.write(day(at), 6000);
  const size = async (): Promise<number> =>
    (await pool.query(`select pg_relation_size('log.line_20270302_pkey')::int as bytes`)).rows[0].bytes;
  const rebuild = (signal = new AbortController().signal) =>
    rebuildIndexes(pool, log.tables, { now: day('2027-03-07'), bytesMin: 100_000, signal });
  // As a process leaves an index that ended while it was building it.
  await pool.query('create index line_20270302_pkey_ccnew on log.line_20270302 (id)');
  await pool.query(
    `update pg_index set indisvalid = false where indexrelid = 'log.line_20270302_pkey_ccnew'::regclass`,
  );
  const before = await size();

  expect(await rebuild(AbortSignal.abort())).toEqual([]);
  expect(await rebuild()).toEqual(['log.line_20270302_pkey']);
  expect(await size()).toBeLessThan(0.8 * before);
  expect((await pool.query(`select to_regclass('log.line_20270302_pkey_ccnew') as left`)).rows[0].left).toBe(
    null,
  );
  expect(await rebuild()).toEqual(['log.line_20270301_pkey']);
  expect(await rebuild()).toEqual([]);
});

test('indexes are not built again while another process does it', async ({ pool, log }) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-02'), daysAhead: 5 });
  await log.write(day('2027-03-02'), 10);
  const other = await pool.connect();
  await other.query('select pg_advisory_lock(7216340553)');
  const options = { now: day('2027-03-20'), bytesMin: 0, signal: new AbortController().signal };
  expect(await rebuildIndexes(pool, log.tables, options)).toEqual([]);
  other.release(true);
});

test('an index that takes too long is left, and does not keep older partitions from their turn', async ({
  pool,
  log,
}) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-02'), daysAhead: 5 });
  for (const at of ['2027-03-01', '2027-03-02']) await log.write(day(at), 10);
  const rebuild = (indexMaxMs: number) =>
    rebuildIndexes(pool, log.tables, {
      now: day('2027-03-07'),
      bytesMin: 0,
      indexMaxMs,
      signal: new AbortController().signal,
    });
  // The build waits for this transaction.
  const reader = await pool.connect();
  await reader.query('begin; lock table log.line_20270302 in row exclusive mode');
  expect(await rebuild(500)).toEqual([]);
  await reader.query('rollback');
  reader.release();
  expect(await rebuild(60_000)).toEqual(['log.line_20270301_pkey']);
  expect(await rebuild(60_000)).toEqual([]);
});
