import type { SendOutcome } from '@service/outbound-http';
import type { DeliveryFailure } from '../schemas.ts';
import { readRetryAfter } from './retry-after.ts';
import { waitBefore } from './retry-schedule.ts';

/** What one attempt means for its delivery. */
export interface Settlement {
  /** Until the next try; null when there will be none, because it succeeded or has been given up. */
  waitSeconds: number | null;
  /** Tries spent so far, this one included if it counts. */
  tries: number;
  /** Null for a success. */
  failure: DeliveryFailure | null;
  failureMessage: string | null;
  responseCode: number | null;
  responseSnippet: string | null;
  /** For so long the receiver wants nothing at all. */
  restSeconds: number;
}

export interface AttemptFacts {
  /** From 1. */
  attempt: number;
  /** Tries spent before. */
  tries: number;
  scheduleSeconds: readonly number[];
  now: Date;
  /** From 0 up to 1. */
  random: number;
}

/** What a receiver gets to rest that says 429 and not for how long, in seconds. */
const defaultRestSeconds = 1;

/**
 * Any 2xx is a success; everything else is tried again on the schedule until its tries are used up. `Retry-After` can make
 * the wait longer. 429 is no failure but a request to come later: it spends no try, for as many times as there are tries.
 */
export function settle(outcome: SendOutcome, facts: AttemptFacts): Settlement {
  const result = readOutcome(outcome);
  if (result.failure === null)
    return { ...result, waitSeconds: null, tries: facts.tries + 1, restSeconds: 0 };
  const asked =
    outcome.kind === 'response' ? readRetryAfter(outcome.headers['retry-after'], facts.now) : undefined;
  if (result.responseCode === 429 && isFree(facts)) return { ...result, ...putOff(facts, asked) };

  const { scheduleSeconds, random } = facts;
  const tries = facts.tries + 1;
  const wait = waitBefore(tries + 1, scheduleSeconds, random);
  const restSeconds = isThrottle(result.responseCode) ? (asked ?? 0) : 0;
  return {
    ...result,
    waitSeconds: wait === undefined ? null : Math.max(wait, asked ?? 0),
    tries,
    restSeconds,
  };
}

/** An attempt that says nothing about the delivery: a paused endpoint is probed, and its queue waits on. */
export function settleProbe(outcome: SendOutcome, facts: AttemptFacts): Settlement {
  const settlement = settle(outcome, facts);
  if (settlement.failure === null) return settlement;
  return { ...settlement, waitSeconds: Number.POSITIVE_INFINITY, tries: facts.tries };
}

const isThrottle = (code: number | null): boolean => code === 429 || code === 503;

const isFree = ({ attempt, tries, scheduleSeconds }: AttemptFacts): boolean =>
  attempt - 1 - tries < scheduleSeconds.length;

// The waits grow with the attempts all the same, so that nobody is asked every few seconds for days.
function putOff(
  { attempt, tries, scheduleSeconds, random }: AttemptFacts,
  asked: number | undefined,
): Pick<Settlement, 'waitSeconds' | 'tries' | 'restSeconds'> {
  const place = Math.min(attempt + 1, scheduleSeconds.length);
  const wait = asked ?? waitBefore(place, scheduleSeconds, random)!;
  return { waitSeconds: Math.max(wait, defaultRestSeconds), tries, restSeconds: asked ?? defaultRestSeconds };
}

type Result = Pick<Settlement, 'failure' | 'failureMessage' | 'responseCode' | 'responseSnippet'>;

function readOutcome(outcome: SendOutcome): Result {
  if (outcome.kind === 'failed') {
    const { failure, message } = outcome;
    return { responseCode: null, responseSnippet: null, failure, failureMessage: message };
  }
  const { statusCode, snippet } = outcome;
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const failure = isSuccess ? null : 'http_status';
  return { responseCode: statusCode, responseSnippet: snippet, failure, failureMessage: null };
}
