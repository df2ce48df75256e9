// Watch progress, and the marks that were passed between two heartbeats.
import type { EventDraft } from '../event/publish-events.ts';

export interface WatchProgress {
  watchedSeconds: number;
  /** The highest percent ever reached. The total can grow, and no mark is passed twice. */
  completionPercent: number;
}

interface Crossing {
  before: WatchProgress;
  after: WatchProgress;
  totalSeconds: number;
  /** Whole minutes and percents that become events. */
  minutes: readonly number[];
  percents: readonly number[];
  /** Percent at which the video is complete. Undefined if it already is. */
  completeAt?: number;
  now: Date;
  /** True between two segments. */
  inTransition?: boolean;
}

interface Passed {
  atSeconds: number;
  event: Pick<EventDraft, 'type' | 'mark'>;
}

/** Whole percent, rounded down, at most 100. */
export const percentOf = (watchedSeconds: number, totalSeconds: number): number =>
  totalSeconds > 0 ? Math.min(Math.floor((watchedSeconds * 100) / totalSeconds), 100) : 0;

/** The events of marks passed between two states, in the order of seconds. At the same second, minutes come first. */
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
 * Compares with the stored percent, not with the earlier seconds divided by the current total. If the total became smaller, marks
 * between the two values still become events.
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

/** The watched seconds at which a percent is reached. */
const secondsOf = (percent: number, totalSeconds: number): number =>
  Math.ceil((percent * totalSeconds) / 100);
