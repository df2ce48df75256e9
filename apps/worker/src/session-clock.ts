import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { runSessionClock, type ClockSubscriber } from '@service/attendees';
import type { ClockCheck } from './clock-check.ts';
import { createFailureLog } from './repeat-failures.ts';
import { createRepeat, type Repeat } from './repeat.ts';
import type { SessionClockCounter } from './session-clock-counter.ts';

interface SessionClockOptions {
  database: Database;
  subscriber: ClockSubscriber;
  onCounted: SessionClockCounter;
  clocks: Pick<ClockCheck, 'readNow'>;
  log: Log;
}

const everyMs = 1000;
/** So that a hundred thousand no-shows of one session do not keep all others from starting on time. */
const roundMs = 2000;

/** Starts and ends sessions, and finds out who left and who never came, every second. */
export function createSessionClock({
  database,
  subscriber,
  onCounted,
  clocks,
  log,
}: SessionClockOptions): Repeat {
  const failureLog = createFailureLog(log, 'The session clock leaves something out and tries it again');
  return createRepeat({
    name: 'session clock',
    everyMs,
    async run(signal) {
      const now = await clocks.readNow('session_clock');
      if (!now) return;
      let isWell = true;
      const counts = await runSessionClock(database, {
        now,
        subscriber,
        signal: AbortSignal.any([signal, AbortSignal.timeout(roundMs)]),
        onFailure(error) {
          isWell = false;
          failureLog.record(error);
        },
      });
      if (isWell) failureLog.forget();
      onCounted(counts);
    },
    log,
  });
}
