/** A played interval, [from, to] in seconds of the video. */
export type Interval = [from: number, to: number];

export interface PlayedIntervals {
  /** The player is playing, and is at this position. */
  progress(positionSeconds: number, atMs: number): void;
  /** The player stopped or jumps: the next position begins an interval. */
  cut(): void;
  /** The intervals that were played since the last call, in order. */
  take(): Interval[];
}

/** The player reports its position four times a second. If it moved further than playing can move it, it jumped without an event. */
const slackSeconds = 1.5;
const rateMax = 2.1;
/** A heartbeat may carry a hundred. */
const intervalsMax = 100;

/** Collects the intervals that a player plays from the positions that it reports. */
export function createPlayedIntervals(): PlayedIntervals {
  let played: Interval[] = [];
  let open: Interval | undefined;
  let lastMs = 0;

  const close = (): void => {
    if (open && open[1] > open[0]) played = [...played, open].slice(-intervalsMax);
    open = undefined;
  };

  return {
    progress(positionSeconds, atMs) {
      if (open) {
        const step = positionSeconds - open[1];
        const isJump = step < 0 || step > ((atMs - lastMs) / 1000) * rateMax + slackSeconds;
        if (isJump) close();
        else open[1] = positionSeconds;
      }
      open ??= [positionSeconds, positionSeconds];
      lastMs = atMs;
    },
    cut: close,
    take() {
      const end = open?.[1];
      close();
      if (end !== undefined) open = [end, end];
      const taken = played.map(([from, to]): Interval => [toThousandths(from), toThousandths(to)]);
      played = [];
      return taken;
    },
  };
}

const toThousandths = (seconds: number): number => Math.round(seconds * 1000) / 1000;
