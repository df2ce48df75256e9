/** A played interval, [from, to] in seconds of the video. */
export type Interval = readonly [from: number, to: number];

export interface Player {
  play(atMs: number): void;
  pause(atMs: number): void;
  /** The intervals that were played since the last call, in order. */
  take(atMs: number): Interval[];
}

/**
 * A player that says what it has played and nothing else: a second of video for a second of real time. It shows what everybody
 * sees at that moment, so what comes during a pause is missed. Times must not go back.
 */
export function createPlayer(positionAt: (atMs: number) => number): Player {
  const played: Interval[] = [];
  let from: number | undefined;

  const cut = (atMs: number): void => {
    if (from === undefined) return;
    const to = positionAt(atMs);
    if (to > from) played.push([from, to]);
    from = to;
  };

  return {
    play(atMs) {
      from ??= positionAt(atMs);
    },
    pause(atMs) {
      cut(atMs);
      from = undefined;
    },
    take(atMs) {
      cut(atMs);
      return played.splice(0);
    },
  };
}
