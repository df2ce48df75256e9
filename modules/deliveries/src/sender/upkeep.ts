// Repeated work beside the sending, about once a second in every worker.
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { drainEndpoints, releaseOrphaned } from '../endpoint/record-health.ts';
import { deleteOldNotices } from '../endpoint/notices.ts';
import { advanceRecoveries, type AdvanceOptions } from '../redelivery/advance-recoveries.ts';
import { parkDue, releaseParked } from '../suspension/suspension.ts';

interface UpkeepOptions extends Omit<AdvanceOptions, 'now'> {
  database: Pick<Database, 'pool' | 'transaction'>;
  /** The period of work that is rarely needed. */
  seldomEveryMs: number;
  now(): Date;
}

/**
 * Releases parked deliveries of endpoints that answer again and of resumed accounts, parks those of suspended accounts, and
 * advances recoveries.
 */
export function createUpkeep({ database, seldomEveryMs, now, ...options }: UpkeepOptions, log: Log) {
  const { pool } = database;
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let stopped = false;
  let seldomAt = performance.now() + seldomEveryMs;

  const work = async (): Promise<void> => {
    const drained = await drainEndpoints(database);
    const released = await pool.query<{ count: number }>(releaseParked);
    if (drained + released.rows[0]!.count > 0) options.wake();
    await pool.query(parkDue);
    if (performance.now() >= seldomAt) {
      seldomAt = performance.now() + seldomEveryMs;
      await pool.query(releaseOrphaned);
      await pool.query(deleteOldNotices);
    }
    await advanceRecoveries(database, { ...options, now: now() });
  };

  const run = (everyMs: number): void => {
    working = work()
      .catch((error: unknown) =>
        log.error({ err: error }, 'The upkeep of deliveries failed and will be tried again'),
      )
      .finally(() => {
        if (!stopped) timer = setTimeout(run, everyMs, everyMs);
      });
  };

  return {
    start: (everyMs: number): void => void (timer ??= setTimeout(run, everyMs, everyMs)),
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
