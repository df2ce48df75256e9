import type { ClockCounts } from '@service/attendees';
import { Counter, type Registry } from 'prom-client';

/** Takes what one round of the session clock has done. */
export type SessionClockCounter = (counts: ClockCounts) => void;

export function createSessionClockCounter(registry: Registry): SessionClockCounter {
  const counter = new Counter({
    name: 'session_clock_total',
    help: 'What the session clock of this worker has done: sessions started and ended, attendees left, no-shows.',
    labelNames: ['change'],
    registers: [registry],
  });
  const count = ({ started, ended, left, noShows }: ClockCounts): void => {
    counter.inc({ change: 'started' }, started);
    counter.inc({ change: 'ended' }, ended);
    counter.inc({ change: 'left' }, left);
    counter.inc({ change: 'no_show' }, noShows);
  };
  // A rate over the first one needs a zero before it.
  count({ started: 0, ended: 0, left: 0, noShows: 0 });
  return count;
}
