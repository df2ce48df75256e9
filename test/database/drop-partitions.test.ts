import { dropPartitionsBefore, ensurePartitions } from '@service/database';
import { expect } from 'vitest';
import { createLogTable, day, test } from './log-table.ts';

test('history is dropped by whole days, and from the default partition too', async ({ pool, log }) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-01'), daysAhead: 2 });
  for (const at of ['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02']) await log.write(day(at));
  expect(await dropPartitionsBefore(pool, log.tables, day('2027-03-01'))).toEqual({
    dropped: ['log.line_20270228'],
    postponed: [],
    inUse: [],
  });
  expect(await log.rows()).toEqual({ 'log.line_20270301': 1, 'log.line_20270302': 1 });
});

test('a round whose time is 200 days off drops the oldest two days and no more', async ({ pool, log }) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-02'), daysAhead: 8 });
  for (const at of ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04']) await log.write(day(at));
  const { dropped } = await dropPartitionsBefore(pool, log.tables, day('2027-09-20'));
  expect(dropped).toEqual(['log.line_20270301', 'log.line_20270302']);
  expect(await log.rows()).toEqual({ 'log.line_20270303': 1, 'log.line_20270304': 1 });
});

test('the limit of a round covers the default partition, so that both together lose two days', async ({
  pool,
  log,
}) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-04'), daysAhead: 0 });
  for (const at of ['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-03', '2027-03-04'])
    await log.write(day(at));
  const rounds: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    await dropPartitionsBefore(pool, log.tables, day('2027-09-20'));
    rounds.push(await log.rows());
  }
  expect(rounds).toEqual([
    { 'log.line_20270303': 1, 'log.line_20270304': 1, 'log.line_default': 1 },
    { 'log.line_20270303': 1, 'log.line_20270304': 1 },
    {},
  ]);
});

test('a round drops one month of a monthly table, when the whole month is old enough', async ({ pool }) => {
  const log = await createLogTable(pool, { period: 'month' });
  await ensurePartitions(pool, log.tables, { now: day('2027-01-15'), daysAhead: 0 });
  for (const at of ['2027-01-31', '2027-02-28', '2027-03-31']) await log.write(day(at));
  const drop = async (before: string) => (await dropPartitionsBefore(pool, log.tables, day(before))).dropped;
  expect(await drop('2027-01-31')).toEqual([]);
  expect(await drop('2027-12-31')).toEqual(['log.line_202701']);
  expect(await drop('2027-12-31')).toEqual(['log.line_202702']);
  expect(await log.rows()).toEqual({ 'log.line_202703': 1 });
});

test('a partition with a row that is in use stays, and later ones go', async ({ pool, log }) => {
  await ensurePartitions(pool, log.tables, { now: day('2027-03-02'), daysAhead: 2 });
  await log.wait(await log.write(day('2027-03-01')));
  for (const at of ['2027-03-02', '2027-03-03', '2027-03-04']) await log.write(day(at));
  expect(await dropPartitionsBefore(pool, log.tables, day('2027-09-20'))).toEqual({
    dropped: ['log.line_20270302', 'log.line_20270303'],
    postponed: [],
    inUse: ['log.line_20270301'],
  });
  await pool.query('delete from log.waiting');
  const { dropped } = await dropPartitionsBefore(pool, log.tables, day('2027-03-02'));
  expect(dropped).toEqual(['log.line_20270301']);
  expect(await log.rows()).toEqual({ 'log.line_20270304': 1 });
});

test('a row of the default partition that is in use stays, and the others of its day go', async ({
  pool,
  log,
}) => {
  await log.wait(await log.write(day('2027-03-01')));
  for (const at of ['2027-03-01', '2027-03-05']) await log.write(day(at));
  await dropPartitionsBefore(pool, log.tables, day('2027-03-04'));
  expect(await log.rows()).toEqual({ 'log.line_default': 2 });
});
