// The attendance curve of a video. Pure functions.

export interface DropOff {
  fromSeconds: number;
  toSeconds: number;
  /** Attendees who saw the first point and not the next one, minus those who did the opposite. */
  viewersLost: number;
}

/** Even numbers of seconds between two points. The last one serves a video of a day. */
const steps = [10, 20, 30, 60, 120, 300, 600, 900] as const;

/** A curve has about this many points at most. */
const pointsMax = 120;

const dropOffsMax = 3;

export interface CurveSteps {
  stepSeconds: number;
  /** Number of points: the parts of this length whose middle is before the end of the video. */
  count: number;
}

export function stepsOf(durationSeconds: number): CurveSteps {
  const stepSeconds = steps.find((step) => durationSeconds <= step * pointsMax) ?? steps.at(-1)!;
  return { stepSeconds, count: Math.max(0, Math.ceil((durationSeconds - stepSeconds / 2) / stepSeconds)) };
}

/** The largest falls between two neighbouring points, the largest first; of equal ones the earliest. */
export const findDropOffs = (viewers: readonly number[], stepSeconds: number): DropOff[] =>
  viewers
    .slice(1)
    .map((count, index) => ({
      fromSeconds: index * stepSeconds,
      toSeconds: (index + 1) * stepSeconds,
      viewersLost: viewers[index]! - count,
    }))
    .filter(({ viewersLost }) => viewersLost > 0)
    .toSorted((one, other) => other.viewersLost - one.viewersLost || one.fromSeconds - other.fromSeconds)
    .slice(0, dropOffsMax);
