// How far somebody has come, and which marks that somebody waits for they have passed on the way.
import type { EventDraft } from '../event/publish-events.ts';

export interface WatchProgress {
  watchedSeconds: number;
  /** The highest that was ever reached: what 100 percent is may grow, and no mark is passed twice. */
  completionPercent: number;
}

interface Crossing {
  before: WatchProgress;
  after: WatchProgress;
  totalSeconds: number;
  /** Whole minutes and percents that become events. */
  minutes: readonly number[];
  percents: readonly number[];
  /** The percent with which the video is complete; undefined when it has been. */
  completeAt?: number;
  now: Date;
  /** Between two segments. */
  inTransition?: boolean;
}

interface Passed {
  atSeconds: number;
  event: Pick<EventDraft, 'type' | 'mark'>;
}

/** Whole percent, rounded down, at most 100. */
export const completionPercent = (watchedSeconds: number, totalSeconds: number): number =>
  totalSeconds > 0 ? Math.min(Math.floor((watchedSeconds * 100) / totalSeconds), 100) : 0;

/** The events of what was passed between two states, in the order in which it was; of two at the same second, minutes first. */
export function crossedMarks(crossing: Crossing): EventDraft[] {
  const { after, now, inTransition } = crossing;
  const { watchedSeconds, completionPercent } = after;
  return [...passedMinutes(crossing), ...passedPercents(crossing), ...completion(crossing)]
    .toSorted((one, other) => one.atSeconds - other.atSeconds)
    .map(({ event }) => {
      const isMarked = inTransition && event.type !== 'video_complete';
      const data = { watchedSeconds, completionPercent, ...(isMarked && { in_transition: true }) };
      return { ...event, occurredAt: now, data };
    });
}

const passedMinutes = ({ before, after, minutes }: Crossing): Passed[] =>
  minutes
    .filter((mark) => mark * 60 > before.watchedSeconds && mark * 60 <= after.watchedSeconds)
    .map((mark) => ({ atSeconds: mark * 60, event: { type: 'watched_minutes', mark } }));

/**
 * Held against the percent that was reached before, not against what the seconds before are of the present total: when that
 * shrank in the meantime, marks it went past are still to come.
 */
const passedPercents = ({ before, after, totalSeconds, percents }: Crossing): Passed[] =>
  percents
    .filter((mark) => mark > before.completionPercent && mark <= after.completionPercent)
    .map((mark) => ({
      atSeconds: secondsOf(mark, totalSeconds),
      event: { type: 'watched_percent', mark },
    }));

function completion({ after, totalSeconds, completeAt }: Crossing): Passed[] {
  if (completeAt === undefined || totalSeconds === 0) return [];
  const atSeconds = secondsOf(completeAt, totalSeconds);
  return after.watchedSeconds >= atSeconds ? [{ atSeconds, event: { type: 'video_complete' } }] : [];
}

/** The watched seconds with which it is that percent. */
const secondsOf = (percent: number, totalSeconds: number): number =>
  Math.ceil((percent * totalSeconds) / 100);
