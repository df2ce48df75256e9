// A session's timer is made by its first registration, and the thousands after it need not ask whether it is there. What is
// remembered was committed. It is not believed shortly before the timer is due: whoever fires it may be at it already, while a
// registration on its way still counts.
import { LRUCache } from 'lru-cache';
import type { TimerDraft } from './timers.ts';

const known = new LRUCache<string, true>({ max: 20_000 });

/** Longer than any transaction, and than clocks of different machines disagree. */
const doubtMs = 60_000;

/** Whether this process knows that a session's timer is there. */
export const isKnown = (timer: TimerDraft, now: Date): boolean =>
  timer.dueAt.getTime() - now.getTime() > doubtMs && known.has(keyOf(timer));

/** To be called once they are committed. */
export function rememberTimers(timers: readonly TimerDraft[]): void {
  for (const timer of timers) known.set(keyOf(timer), true);
}

/** With the time: a session or a rule that was changed asks anew. */
const keyOf = ({ ruleId, sessionId, dueAt }: TimerDraft): string =>
  `${ruleId} ${sessionId} ${dueAt.getTime()}`;
