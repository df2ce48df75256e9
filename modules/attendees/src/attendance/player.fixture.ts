// An honest player: it reports what it has played and nothing else, every ten seconds and whenever something changes. Times are
// in seconds since the session's start, and not whole.
import { durationSeconds, type Beat } from './viewer.fixture.ts';

export interface Piece {
  does: 'play' | 'pause' | 'stall' | 'seek' | 'reload';
  /** Seconds that it takes; of a seek, the whole seconds to go forward or back. */
  length: number;
}

export interface Habits {
  isTogether: boolean;
  openedAt: number;
  pieces: readonly Piece[];
  /** Seconds between two heartbeats, and how long each of them is on its way; used in turn. */
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
  /** Stretches that were shown without a break. */
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
    // A page asks again only when it is answered, so its heartbeats stay in order.
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
    const end = Math.min(position + to - from, durationSeconds);
    unreported.push([position, end]);
    if (isFresh) played.push([position, end]);
    else played.at(-1)![1] = end;
    isFresh = false;
    position = end;
  };

  const does = {
    play: (length: number) => pass(length, true),
    // What is shown goes on meanwhile where all watch together; elsewhere the player stands still.
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
