import type { ClockCounts } from '@service/attendees';
import { Counter, type Registry } from 'prom-client';

/** Counts the changes of one round of the session clock. */
export type SessionClockCounter = (counts: ClockCounts) => void;

export function createSessionClockCounter(registry: Registry): SessionClockCounter {
  const counter = new Counter({
    name: 'session_clock_total',
    help: 'Changes made by the session clock of this worker: sessions started and ended, attendees left, no-shows.',
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
