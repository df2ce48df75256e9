// Decides what happens to a change after an attempt to send it. Pure.
import type { SendOutcome } from '../entities.ts';

/** The result of an attempt. The reason is one line without secrets. */
export type Attempted =
  | { kind: 'done' | 'skipped'; reason: string | null }
  | { kind: 'left' | 'person_refused'; reason: string }
  /** There were too many calls. `isOwn`: our own count of them says so, and the tool was not asked. */
  | { kind: 'throttled'; reason: string; retryAfterMs: number | undefined; isOwn?: boolean }
  | { kind: 'later'; reason: string; retryAfterMs: number | undefined }
  | { kind: 'credential_refused' | 'not_allowed'; reason: string };

export type Next =
  | { kind: 'ended'; outcome: SendOutcome }
  /** `restMs`: the whole lane rests. */
  | { kind: 'again'; waitMs: number; attempts: number; restMs: number | null }
  | { kind: 'parked'; attempts: number };

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const waitsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs];

/** After the waits above, one attempt an hour for a day. */
export const attemptsMax = waitsMs.length + 24;

/** Changes of many failed attempts must not come back at the same moment. */
const jitter = 0.2;

const restUsualMs = 30 * secondMs;
const restMaxMs = hourMs;

/** The rest of a lane after too many calls. `retryAfterMs`: the wait that the tool names. */
export const restMsOf = (retryAfterMs: number | undefined): number =>
  Math.min(retryAfterMs ?? restUsualMs, restMaxMs);

/** The time in which a refused key is verified. */
const credentialWaitMs = minuteMs;

/** `attempts` failed in a row before this one. `random` is from 0 to 1. */
export function decideNextAttempt(attempts: number, attempted: Attempted, random: number): Next {
  const { kind } = attempted;
  if (kind === 'throttled')
    return { kind: 'again', waitMs: 0, attempts, restMs: restMsOf(attempted.retryAfterMs) };
  if (kind !== 'later' && kind !== 'not_allowed' && kind !== 'credential_refused')
    return { kind: 'ended', outcome: kind };
  if (attempts + 1 >= attemptsMax) return { kind: 'parked', attempts: attempts + 1 };
  const scheduledMs = waitsMs[Math.min(attempts, waitsMs.length - 1)]! * (1 + jitter * (2 * random - 1));
  const leastMs =
    kind === 'later'
      ? Math.min(attempted.retryAfterMs ?? 0, restMaxMs)
      : kind === 'credential_refused'
        ? credentialWaitMs
        : 0;
  return {
    kind: 'again',
    waitMs: Math.round(Math.max(scheduledMs, leastMs)),
    attempts: attempts + 1,
    restMs: null,
  };
}
