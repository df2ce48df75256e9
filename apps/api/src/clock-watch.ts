import { clockOffsetMaxMs, clockOffsetMs, readDatabaseTime, type Database } from '@service/database';
import type { Log } from '@service/log';

interface ClockWatchOptions {
  pool: Database['pool'];
  log: Pick<Log, 'warn'>;
  everyMs?: number;
}

const everyMsDefault = 60_000;

/**
 * Compares the clock of this process with the database's clock at once and every minute, and logs a warning while they differ by
 * more than 5 s. The process goes on, because it writes and decides with the database's time. Wrong are the times in the log and
 * those that another library takes from the clock (sign-in).
 */
export function watchClock({ pool, log, everyMs = everyMsDefault }: ClockWatchOptions) {
  const compare = (): void => {
    const offsetMs = clockOffsetMs();
    if (Math.abs(offsetMs) <= clockOffsetMaxMs) return;
    const aheadSeconds = Math.round(offsetMs / 1000);
    log.warn({ aheadSeconds }, "This process's clock disagrees with the database's; set it by NTP");
  };
  compare();
  const timer = setInterval(() => {
    // An unreachable database is reported elsewhere.
    void readDatabaseTime(pool).then(compare, () => undefined);
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}
