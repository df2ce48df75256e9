// Activity with months of calls in it: what opening the page costs, what recording costs, what retention does to writers.
import { fillActivity } from './activity-rows.ts';
import { measureReads, type Read } from './activity-reads.ts';
import { measureFlushes, measureSweep, type Flush, type Sweep } from './activity-writes.ts';
import type { Bench } from './bench.ts';
import { atMost } from './report.ts';

export const activity: Bench = {
  name: 'activity',
  summary:
    'Activity with --rows calls of one account over ninety days: the first page and the histogram for each filter beside the plain scan ' +
    'of the newest page, recording beside a bare insert, and the longest pause of a writer while a day is dropped',
  async run({ database, rounds, rows = 1_000_000 }) {
    const { pool } = database;
    const now = new Date();
    const flushes = await measureFlushes(database, rounds);
    await pool.query('truncate activity.api_call, activity.api_call_count');
    const reads = await measureReads(database, await fillActivity(pool, rows, now), { rounds, now });
    const sweep = await measureSweep(pool, now);
    return {
      figures: { flushes, reads, sweep },
      text: [
        'record, microseconds a call in batches of 500',
        ...flushes.map(describeFlush),
        `read, ${rows.toLocaleString('en')} calls of one account over 90 days`,
        ...reads.map(describeRead),
        describeSweep(sweep),
      ].join('\n'),
      targets: [
        atMost('slowest read in ms', Math.max(...reads.map(({ ms }) => ms)), 10, 20),
        atMost('longest pause of a writer in ms', sweep.longestMeanwhileMs, 50, 100),
      ],
    };
  },
};

const describeFlush = ({ name, us, ratio }: Flush): string =>
  `  ${name.padEnd(42)} ${us.toFixed(2).padStart(6)} us  ratio ${ratio.toFixed(2)}`;

const describeRead = ({ name, ms, ratio, rows, buffers, partitions, indexes }: Read): string =>
  `  ${name.padEnd(42)} ${ms.toFixed(2).padStart(6)} ms  ratio ${ratio.toFixed(2)}  rows ${rows}, pages ${buffers}, ` +
  `partitions ${partitions}, ${indexes.join(' + ')}`;

const describeSweep = ({ dropped, sweepMs, writes, longestBeforeMs, longestMeanwhileMs }: Sweep): string =>
  `sweep, dropped ${dropped.join(', ')} in ${sweepMs.toFixed(0)} ms beside a writer of ${writes} rows\n` +
  `  its longest pause: ${longestMeanwhileMs.toFixed(1)} ms, and ${longestBeforeMs.toFixed(1)} ms in the second before`;
