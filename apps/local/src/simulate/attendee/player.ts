/** A played interval, [from, to] in seconds of the video. */
export type Interval = readonly [from: number, to: number];

export type Player = ReturnType<typeof createPlayer>;

/**
 * An honest player: a second of video for a second of real time. All attendees see the same position, so seconds during a pause
 * are missed. Times must not go back.
 */
export function createPlayer(positionAt: (atMs: number) => number) {
  const played: Interval[] = [];
  let from: number | undefined;

  const cut = (atMs: number): void => {
    if (from === undefined) return;
    const to = positionAt(atMs);
    if (to > from) played.push([from, to]);
    from = to;
  };

  return {
    play(atMs: number): void {
      from ??= positionAt(atMs);
    },
    pause(atMs: number): void {
      cut(atMs);
      from = undefined;
    },
    /** The intervals that were played since the last call, in order. */
    take(atMs: number): Interval[] {
      cut(atMs);
      return played.splice(0);
    },
  };
}

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
