// The unanswered calls of one attendee, in order. They never run in two batches at once, so that the batches of a process do not
// wait for each other's row locks.
import type { JoinToken } from '../registration/join-token.ts';
import { handleHeartbeats, mergeHeartbeats, type Heartbeats } from './handlers/heartbeats.ts';
import type { CallResult } from './run-calls.ts';
import type { RoomCall } from './room-call.ts';

/** One call, or several heartbeats of one page that are applied as one. */
export interface LineEntry {
  call: RoomCall;
  /** Only for heartbeats. */
  heartbeats?: Heartbeats;
  /** The call can move the viewer to another segment, so a later heartbeat does not join one that waits before this call. */
  isMove?: boolean;
  /** Resolves the promises of all callers with the same result. */
  settles: ((result: CallResult) => void)[];
  /** Time on the process's monotonic clock. */
  waitsSinceMs: number;
  /** A batch with this entry has failed, so it runs alone in the next one. */
  isAlone: boolean;
}

/** Limit of unanswered calls, without heartbeats. */
const callsMax = 8;
/** Limit of unanswered heartbeats. An honest page sends one every ten seconds. */
const heartbeatsMax = 16;

export interface Line {
  readonly key: string;
  /** True while entries are in a batch or wait for the next try. */
  isBusy: boolean;
  /** Consecutive rounds in which another transaction had locked a row of this attendee. */
  lockedRounds: number;
  /** Returns false if too many calls of the attendee are unanswered. */
  add(entry: LineEntry): boolean;
  /** Takes the next entries, at most `count`. An entry that must run alone is taken alone. */
  take(count: number): LineEntry[];
  isNextAlone(): boolean;
  /** Puts entries back in front for another try. */
  putBack(entries: readonly LineEntry[]): void;
  /** Must be called for each answered entry. */
  finish(entry: LineEntry): void;
  isEmpty(): boolean;
}

export const attendeeKey = ({ accountId, registrationId, tokenVersion }: JoinToken): string =>
  `${accountId} ${registrationId} ${tokenVersion}`;

export function heartbeatsToCall(token: JoinToken, heartbeats: Heartbeats): RoomCall {
  const version = heartbeats.at(-1)?.interactionsVersion;
  return {
    token,
    ...(version !== undefined && { interactions: { version } }),
    handle: (found) => handleHeartbeats(found, heartbeats),
  };
}

export function createLine(key: string): Line {
  let waiting: LineEntry[] = [];
  let calls = 0;
  let heartbeats = 0;

  const append = (entry: LineEntry): void => {
    if (!mergeIntoWaiting(waiting, entry)) waiting.push(entry);
  };

  return {
    key,
    isBusy: false,
    lockedRounds: 0,
    add(entry) {
      if (entry.heartbeats ? heartbeats >= heartbeatsMax : calls >= callsMax) return false;
      if (entry.heartbeats) heartbeats += 1;
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
      if (entry.heartbeats) heartbeats -= entry.settles.length;
      else calls -= 1;
    },
    isEmpty: () => waiting.length === 0,
  };
}

/** Joins a heartbeat with a waiting one of the same page. Returns true if that was possible. */
function mergeIntoWaiting(waiting: readonly LineEntry[], entry: LineEntry): boolean {
  if (!entry.heartbeats || entry.isAlone) return false;
  for (const other of waiting.toReversed()) {
    if (other.isMove) return false;
    const joined =
      other.heartbeats && !other.isAlone ? mergeHeartbeats(other.heartbeats, entry.heartbeats) : undefined;
    if (!joined) continue;
    other.heartbeats = joined;
    other.call = heartbeatsToCall(other.call.token, joined);
    other.settles.push(...entry.settles);
    return true;
  }
  return false;
}
