import type { Database } from '@service/database';
import type { RepeatedWork } from '@service/module';
import type { ClockSubscriber } from './round.ts';
import { runSessionClock, type ClockCounts } from './run-session-clock.ts';

export interface SessionClockParts {
  database: Database;
  subscriber: ClockSubscriber;
  /** Gets the changes of each round, for metrics. */
  countSessionClock: (counts: ClockCounts) => void;
}

/** A round ends after this time, so that 100,000 no-shows of one session do not delay the start of other sessions. */
const roundMs = 2000;

/** Starts and ends sessions, and publishes `left` and `no_show` events. */
export const sessionClock = ({
  database,
  subscriber,
  countSessionClock,
}: SessionClockParts): RepeatedWork => ({
  name: 'session_clock',
  everyMs: 1000,
  async run(now, { signal, onFailure }) {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(roundMs)]);
    countSessionClock(await runSessionClock(database, { now, subscriber, signal: ended, onFailure }));
  },
});
