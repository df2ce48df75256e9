// Activity with months of calls in it: what opening the page costs, what recording costs, what retention does to writers.
import { fillActivity } from './activity-rows.ts';
import { measureReads, type Read } from './activity-reads.ts';
import { measureFlushes, measureSweep, type Flush, type Sweep } from './activity-writes.ts';
import { openBenchDatabase } from './bench-database.ts';

export const activityHelp = `activity   Activity with --rows calls of one account over ninety days: the first page and the histogram for each
           filter beside the plain scan of the newest page, recording beside a bare insert and with other indexes,
           and the longest pause of a writer while a day is dropped`;

export interface ActivityOptions {
  json: boolean;
  rounds: number;
  rows: number;
}

export async function benchActivity({ json, rounds, rows }: ActivityOptions): Promise<void> {
  await using opened = await openBenchDatabase();
  const { database } = opened;
  const { pool } = database;
  const now = new Date();
  const flushes = await measureFlushes(database, rounds);
  await pool.query('truncate activity.api_call, activity.api_call_count');
  const reads = await measureReads(database, await fillActivity(pool, rows, now), { rounds, now });
  const sweep = await measureSweep(pool, now);
  if (json) {
    console.log(JSON.stringify({ bench: 'activity', options: { rounds, rows }, flushes, reads, sweep }));
    return;
  }
  console.log('record, microseconds a call in batches of 500');
  for (const flush of flushes) console.log(describeFlush(flush));
  console.log(`read, ${rows.toLocaleString('en')} calls of one account over 90 days`);
  for (const read of reads) console.log(describeRead(read));
  console.log(describeSweep(sweep));
}

const describeFlush = ({ name, us, ratio }: Flush): string =>
  `  ${name.padEnd(42)} ${us.toFixed(2).padStart(6)} us  ratio ${ratio.toFixed(2)}`;

const describeRead = ({ name, ms, ratio, rows, buffers, partitions, indexes }: Read): string =>
  `  ${name.padEnd(42)} ${ms.toFixed(2).padStart(6)} ms  ratio ${ratio.toFixed(2)}  rows ${rows}, pages ${buffers}, ` +
  `partitions ${partitions}, ${indexes.join(' + ')}`;

const describeSweep = ({ dropped, sweepMs, writes, longestBeforeMs, longestMeanwhileMs }: Sweep): string =>
  `sweep, dropped ${dropped.join(', ')} in ${sweepMs.toFixed(0)} ms beside a writer of ${writes} rows\n` +
  `  its longest pause: ${longestMeanwhileMs.toFixed(1)} ms, and ${longestBeforeMs.toFixed(1)} ms in the second before`;
