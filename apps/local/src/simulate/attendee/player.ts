/** A played interval, [from, to] in seconds of the video. */
export type Interval = readonly [from: number, to: number];

export interface Player {
  play(atMs: number): void;
  pause(atMs: number): void;
  /** The intervals that were played since the last call, in order. */
  take(atMs: number): Interval[];
}

/**
 * An honest player: a second of video for a second of real time. All attendees see the same position, so seconds during a pause
 * are missed. Times must not go back.
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
