import type { Interval } from './player.ts';

/** Whole seconds of the video, `from` in it and `to` not: ascending, with gaps between them. */
export type Seconds = readonly Interval[];

/** A second [n, n + 1) of an interval is watched when round(from) <= n < round(to): the rule of the protocol. */
export function addPlayed(seconds: Seconds, intervals: readonly Interval[]): Seconds {
  return intervals.reduce<Seconds>(
    (sum, [from, to]) => addRange(sum, [Math.round(from), Math.round(to)]),
    seconds,
  );
}

export const countSeconds = (seconds: Seconds): number =>
  seconds.reduce((sum, [from, to]) => sum + to - from, 0);

function addRange(seconds: Seconds, [from, to]: Interval): Seconds {
  if (to <= from) return seconds;
  const touching = seconds.filter((range) => range[0] <= to && range[1] >= from);
  const joined: Interval = [
    Math.min(from, ...touching.map((range) => range[0])),
    Math.max(to, ...touching.map((range) => range[1])),
  ];
  return [...seconds.filter((range) => range[1] < from), joined, ...seconds.filter((range) => range[0] > to)];
}
