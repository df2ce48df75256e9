// What is done beside the sending, about once a second, in every worker.
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { drainHeld, forgetNotices, releaseForgotten } from '../endpoint/health.sql.ts';
import { parkDue, releaseParked } from '../suspension/suspension.sql.ts';
import { advanceRecoveries, type AdvanceOptions } from '../redelivery/advance-recoveries.ts';

interface UpkeepOptions extends Omit<AdvanceOptions, 'now'> {
  database: Pick<Database, 'pool' | 'transaction'>;
  /** How often is done what has to be done once in a while. */
  seldomEveryMs: number;
  now(): Date;
}

/**
 * Releases the deliveries of endpoints that answer again, parks those of suspended accounts, releases those of resumed ones, and
 * moves recoveries on.
 */
export function createUpkeep({ database, seldomEveryMs, now, ...options }: UpkeepOptions, log: Log) {
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  let stopped = false;
  let seldomAt = performance.now() + seldomEveryMs;

  const work = async (): Promise<void> => {
    const { rows } = await database.pool.query<{ count: number }>(drainHeld);
    const released = await database.pool.query<{ count: number }>(releaseParked);
    if (rows[0]!.count + released.rows[0]!.count > 0) options.wake();
    await database.pool.query(parkDue);
    if (performance.now() >= seldomAt) {
      seldomAt = performance.now() + seldomEveryMs;
      await database.pool.query(releaseForgotten);
      await database.pool.query(forgetNotices);
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
