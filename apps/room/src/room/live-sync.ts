// Keeps a player at the live position: by its rate when it is a little away, by a seek when it is far away. Viewers notice a seek; a
// change of a few percent they do not hear, because browsers keep the pitch.

interface PlayerPosition {
  positionSeconds: number;
  targetSeconds: number;
  /** The present rate. A correction that has begun goes on until the player is nearly exact. */
  rate: number;
}

export type Correction = { type: 'rate'; rate: number } | { type: 'seek'; toSeconds: number };

/** A bigger distance takes minutes to play off. */
const seekFromSeconds = 3;
const quickFromSeconds = 1;
const beginsAtSeconds = 0.25;
const endsAtSeconds = 0.06;
const gentle = 0.03;
const quick = 0.06;

export function correct({ positionSeconds, targetSeconds, rate }: PlayerPosition): Correction {
  const behind = targetSeconds - positionSeconds;
  const distance = Math.abs(behind);
  if (distance > seekFromSeconds) return { type: 'seek', toSeconds: targetSeconds };
  const isCorrecting = rate !== 1 && Math.sign(rate - 1) === Math.sign(behind);
  if (distance < (isCorrecting ? endsAtSeconds : beginsAtSeconds)) return { type: 'rate', rate: 1 };
  return { type: 'rate', rate: 1 + Math.sign(behind) * (distance > quickFromSeconds ? quick : gentle) };
}

interface Timeline {
  startsAtMs: number;
  nowMs: number;
  durationSeconds: number;
}

/** The position that everybody sees now. */
export const livePosition = ({ startsAtMs, nowMs, durationSeconds }: Timeline): number =>
  Math.min(Math.max((nowMs - startsAtMs) / 1000, 0), durationSeconds);

/** Waits between seeks. They grow while each seek lands behind again, so a slow network gets time to fill the buffer. */
export function createSeekPauses(firstMs = 4000, lastMs = 20_000) {
  let readyAtMs = 0;
  let waitMs = firstMs;
  return {
    maySeek: (nowMs: number): boolean => nowMs >= readyAtMs,
    noteSeek(nowMs: number): void {
      // Long after the previous seek the network is taken as good again.
      waitMs = nowMs - readyAtMs > lastMs ? firstMs : Math.min(waitMs * 2, lastMs);
      readyAtMs = nowMs + waitMs;
    },
  };
}
