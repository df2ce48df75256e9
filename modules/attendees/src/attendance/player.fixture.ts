// An honest player for tests. It reports exactly what it has played, every ten seconds and after each change. Times are
// fractional seconds since the session's start.
import { durationSeconds, type Beat } from './viewer.fixture.ts';

export interface Piece {
  does: 'play' | 'pause' | 'stall' | 'seek' | 'reload';
  /** Duration in seconds. For a seek, the whole seconds to go forward or back. */
  length: number;
}

export interface Habits {
  isTogether: boolean;
  openedAt: number;
  pieces: readonly Piece[];
  /** Seconds between two heartbeats, and the network delay of each. Used in turn. */
  waits: readonly number[];
  delays: readonly number[];
}

export interface Report extends Beat {
  visit: number;
  arrivesAt: number;
}

export interface Performance {
  opens: { at: number; visit: number }[];
  reports: Report[];
  /** Ranges that were played without a break. */
  played: [from: number, to: number][];
}

export function perform({ isTogether, openedAt, pieces, waits, delays }: Habits): Performance {
  const opens = [{ at: openedAt, visit: 1 }];
  const reports: Report[] = [];
  const played: [number, number][] = [];
  let now = openedAt;
  let position = isTogether ? Math.max(openedAt, 0) : 0;
  let unreported: [number, number][] = [];
  let nextAt = now + waits[0]! / 20;
  let seq = 0;
  let isFresh = true;

  const report = (state: Beat['state']): void => {
    const { visit } = opens.at(-1)!;
    seq += 1;
    // A page waits for each answer before the next heartbeat, so its heartbeats stay in order.
    const earliest = seq === 1 ? 0 : reports.at(-1)!.arrivesAt;
    const arrivesAt = Math.max(now + delays[reports.length % delays.length]!, earliest);
    reports.push({ visit, seq, state, intervals: unreported, arrivesAt });
    unreported = [];
    nextAt = now + waits[reports.length % waits.length]!;
  };

  const pass = (seconds: number, isPlaying: boolean): void => {
    const until = Math.min(now + seconds, durationSeconds);
    while (now < until) {
      const to = Math.min(until, nextAt);
      if (isPlaying && to > 0) play(Math.max(now, 0), to);
      now = to;
      if (now === nextAt) report(isPlaying ? 'playing' : 'paused');
    }
  };

  const play = (from: number, to: number): void => {
    if (isTogether) position = from;
    const end = Math.min(isTogether ? to : position + to - from, durationSeconds);
    unreported.push([position, end]);
    if (isFresh) played.push([position, end]);
    else played.at(-1)![1] = end;
    isFresh = false;
    position = end;
  };

  const does = {
    play: (length: number) => pass(length, true),
    // If all watch together, the live position goes on during a pause. Otherwise the player stops.
    pause(length: number) {
      report('paused');
      pass(length, false);
      report('playing');
      isFresh ||= isTogether;
    },
    stall(length: number) {
      pass(length, false);
      isFresh ||= isTogether;
    },
    seek(length: number) {
      if (isTogether) return;
      position = Math.min(
        Math.max(position + Math.round(length) * 7 - 140, position % 1),
        540 + (position % 1),
      );
      isFresh = true;
    },
    reload(length: number) {
      report('paused');
      now = Math.min(now + length, durationSeconds - 1);
      opens.push({ at: now, visit: opens.length + 1 });
      seq = 0;
      isFresh ||= isTogether;
      nextAt = now + waits[0]! / 20;
    },
  };
  for (const piece of pieces) if (now < durationSeconds - 1) does[piece.does](piece.length);
  report('ended');
  return { opens, reports, played };
}
