import { createFailureFilter, createRepeater } from '@service/background';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { runSessionClock, type ClockSubscriber } from '@service/attendees';
import type { ClockCheck } from './clock-check.ts';
import type { NamedRepeater } from './readiness.ts';
import type { SessionClockCounter } from './session-clock-counter.ts';

interface SessionClockOptions {
  database: Database;
  subscriber: ClockSubscriber;
  onCounted: SessionClockCounter;
  clocks: Pick<ClockCheck, 'readNow'>;
  log: Log;
}

const everyMs = 1000;
/** A round ends after this time, so that 100,000 no-shows of one session do not delay the start of other sessions. */
const roundMs = 2000;

/** Starts and ends sessions, and publishes `left` and `no_show` events, every second. */
export function createSessionClock({
  database,
  subscriber,
  onCounted,
  clocks,
  log,
}: SessionClockOptions): NamedRepeater {
  const partFailures = createFailureFilter((error) =>
    log.error({ err: error }, 'A part of the session clock failed and is tried again'),
  );
  const repeater = createRepeater({
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
          partFailures.failed(error);
        },
      });
      if (isWell) partFailures.succeeded();
      onCounted(counts);
    },
    onFailure: (error) => log.error({ err: error }, 'The session clock failed and is tried again'),
  });
  return { name: 'session clock', ...repeater };
}
