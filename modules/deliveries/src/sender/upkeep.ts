// Repeated work beside the sending, about once a second in every worker.
import { createRepeater, type Repeater } from '@service/background';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { advanceCancellations } from '../endpoint/cancel-waiting.ts';
import { deleteOldNotices } from '../endpoint/notices.ts';
import { drainEndpoints, releaseOrphaned } from '../endpoint/record-health.ts';
import { advanceFlushes } from '../flush/advance-flushes.ts';
import { advanceRecoveries, type AdvanceOptions } from '../redelivery/advance-recoveries.ts';
import { countQuarters } from '../statistics/count-quarters.ts';
import { parkDue, releaseParked } from '../suspension/suspended-accounts.ts';
import { markFullEndpoints, unansweredMax } from '../usage/full-endpoints.ts';

interface UpkeepOptions extends Omit<AdvanceOptions, 'now'> {
  database: Pick<Database, 'query' | 'transaction'>;
  everyMs: number;
  /** The period of work that is rarely needed. */
  seldomEveryMs: number;
  now(): Date;
}

/**
 * Releases parked deliveries of endpoints that answer again and of resumed accounts, parks those of suspended accounts, advances
 * cancellations, flushes and recoveries, marks endpoints that never answered and are full, and counts deliveries for histograms.
 */
export function createUpkeep(
  { database, everyMs, seldomEveryMs, now, ...options }: UpkeepOptions,
  log: Log,
): Repeater {
  const { query } = database;
  let seldomAt = performance.now() + seldomEveryMs;

  return createRepeater({
    everyMs,
    async run() {
      await advanceCancellations(database, options);
      await advanceFlushes(database, options);
      const drained = await drainEndpoints(database);
      const [released] = await query(releaseParked, []);
      if (drained + released!.count > 0) options.wake();
      await query(parkDue, []);
      if (performance.now() >= seldomAt) {
        seldomAt = performance.now() + seldomEveryMs;
        await query(releaseOrphaned, []);
        await query(deleteOldNotices, []);
        await query(markFullEndpoints, [unansweredMax]);
        await countQuarters(database);
      }
      await advanceRecoveries(database, { ...options, now: now() });
    },
    onFailure: (error) => log.error({ err: error }, 'The upkeep of deliveries failed and is tried again'),
  });
}
