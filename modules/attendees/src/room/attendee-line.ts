// The calls of one attendee that are not answered yet, in their order. They never run in two batches at once, so that the
// batches of a process do not wait for each other's rows.
import type { JoinToken } from '../registration/join-token.ts';
import { beatTogether, joinBeats, type Beats } from './acts/beat-together.ts';
import type { CallResult } from './run-calls.ts';
import type { Call } from './scene.ts';

/** One call, or heartbeats of one page that are applied as one. */
export interface LineEntry {
  call: Call;
  /** Only of heartbeats. */
  beats?: Beats;
  /** It may put the viewer into another segment: a later heartbeat does not join one that waits before it. */
  isMove?: boolean;
  /** The callers: each gets the same result. */
  settles: ((result: CallResult) => void)[];
  /** On the process's monotonic clock. */
  waitsSinceMs: number;
  /** A batch with it has failed: it is tried by itself. */
  isAlone: boolean;
}

/** Calls other than heartbeats that may be unanswered at a time. */
const callsMax = 8;
/** Heartbeats likewise: an honest page sends one every ten seconds, so these are of many pages or of no honest one. */
const beatsMax = 16;

export interface Line {
  readonly key: string;
  /** In a batch, or waiting for the next try. */
  isBusy: boolean;
  /** Rounds in a row in which a row of this attendee was locked by somebody else. */
  lockedRounds: number;
  /** False when too many of its calls are unanswered. */
  add(entry: LineEntry): boolean;
  /** Takes the next entries, at most so many, or the next one alone. */
  take(count: number): LineEntry[];
  isNextAlone(): boolean;
  /** Puts entries back in front, to be taken again. */
  putBack(entries: readonly LineEntry[]): void;
  /** Must be called for each entry that was answered. */
  finish(entry: LineEntry): void;
  isEmpty(): boolean;
}

export const attendeeKey = ({ accountId, registrationId, tokenVersion }: JoinToken): string =>
  `${accountId} ${registrationId} ${tokenVersion}`;

export const beatsToCall = (token: JoinToken, beats: Beats): Call => ({
  token,
  act: (found) => beatTogether(found, beats),
});

export function createLine(key: string): Line {
  let waiting: LineEntry[] = [];
  let calls = 0;
  let beats = 0;

  const append = (entry: LineEntry): void => {
    if (!joinsWaiting(waiting, entry)) waiting.push(entry);
  };

  return {
    key,
    isBusy: false,
    lockedRounds: 0,
    add(entry) {
      if (entry.beats ? beats >= beatsMax : calls >= callsMax) return false;
      if (entry.beats) beats += 1;
      else calls += 1;
      append(entry);
      return true;
    },
    isNextAlone: () => waiting[0]?.isAlone ?? false,
    take(count) {
      if (waiting[0]?.isAlone) return waiting.splice(0, 1);
      const alone = waiting.findIndex(({ isAlone }) => isAlone);
      return waiting.splice(0, Math.min(count, alone === -1 ? waiting.length : alone));
    },
    putBack(entries) {
      const later = waiting;
      waiting = [...entries];
      for (const entry of later) append(entry);
    },
    finish(entry) {
      if (entry.beats) beats -= entry.settles.length;
      else calls -= 1;
    },
    isEmpty: () => waiting.length === 0,
  };
}

/** True when the heartbeat was joined with one of its page that waits already. */
function joinsWaiting(waiting: readonly LineEntry[], entry: LineEntry): boolean {
  if (!entry.beats || entry.isAlone) return false;
  for (const other of waiting.toReversed()) {
    if (other.isMove) return false;
    const joined = other.beats && !other.isAlone ? joinBeats(other.beats, entry.beats) : undefined;
    if (!joined) continue;
    other.beats = joined;
    other.call = beatsToCall(other.call.token, joined);
    other.settles.push(...entry.settles);
    return true;
  }
  return false;
}
