import { createRepeater } from '@service/background';
import { clockOffsetMaxMs, clockOffsetMs, readDatabaseTime, type Database } from '@service/database';
import type { Log } from '@service/log';

interface ClockWatchOptions {
  pool: Database['pool'];
  log: Pick<Log, 'warn'>;
}

const everyMs = 60_000;

/**
 * Compares the calendar of this process with the database's clock every minute, and warns while they differ by more than 5 s.
 * An API process takes the time of its writes and decisions from the database, so it goes on. The times in the log, and those
 * that another library takes from the calendar (sign-in), are wrong.
 */
export function watchClock({ pool, log }: ClockWatchOptions): { close(): void } {
  const compare = (): void => {
    const offsetMs = clockOffsetMs();
    if (Math.abs(offsetMs) <= clockOffsetMaxMs) return;
    const aheadSeconds = Math.round(offsetMs / 1000);
    log.warn({ aheadSeconds }, "This process's clock disagrees with the database's; set it by NTP");
  };
  const repeater = createRepeater({
    everyMs,
    run: async () => readDatabaseTime(pool).then(compare),
    // Requests and `/readyz` report a database that cannot be reached.
    onFailure: () => undefined,
  });
  repeater.start();
  return { close: () => void repeater.stop() };
}
