import { clockOffsetMaxMs, clockOffsetMs, readDatabaseTime, type Database } from '@service/database';
import type { Log } from '@service/log';

interface ClockWatchOptions {
  pool: Database['pool'];
  log: Pick<Log, 'warn'>;
  everyMs?: number;
}

const everyMsDefault = 60_000;

/**
 * Compares the calendar of this process with the database's clock at once and every minute, and warns while they disagree by
 * more than 5 s. Everything an API process writes or decides has the database's time, so it goes on; what another library
 * takes from the calendar (sign-in) and the times in the log are wrong.
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
    // A database that is away is noticed elsewhere.
    void readDatabaseTime(pool).then(compare, () => undefined);
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}
