import type { IncomingHttpHeaders } from 'node:http';
import type { DeliveryFailure } from '@service/catalogue';
import { readRetryAfter, type SendOutcome } from '@service/outbound-http';

/** The result of one attempt, and when its delivery is tried next. */
export interface NextTry {
  /** Null when there is no next try, because the delivery succeeded or is given up. */
  waitSeconds: number | null;
  /** Tries spent so far, with this one if it counts. */
  tries: number;
  /** Null for a success. */
  failure: DeliveryFailure | null;
  failureMessage: string | null;
  responseCode: number | null;
  responseSnippet: string | null;
  /** Names and values as a JSON object. */
  responseHeaders: string | null;
  /** The receiver wants no deliveries at all for this long. */
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

/** A retry comes up to 20 % earlier or later, so that deliveries that failed together do not come back together. */
const jitter = 0.2;

/** A receiver cannot postpone a delivery for longer than this, in seconds. */
const retryAfterMax = 3600;

/** The rest of a receiver that answers 429 without a `Retry-After`, in seconds. */
const defaultRestSeconds = 1;

/**
 * Any 2xx is a success. Everything else is tried again on the schedule until the tries are used up. `Retry-After` can make the
 * wait longer. 429 is not a failure but a request to come later: it spends no try, at most as many times as there are tries.
 */
export function decideNextTry(outcome: SendOutcome, facts: AttemptFacts): NextTry {
  const result = readOutcome(outcome);
  const tries = facts.tries + 1;
  if (result.failure === null) return { ...result, waitSeconds: null, tries, restSeconds: 0 };
  const retryAfter = retryAfterOf(outcome, facts.now);
  if (result.responseCode === 429 && mayPostpone(facts)) return { ...result, ...postpone(facts, retryAfter) };

  const wait = waitBefore(tries + 1, facts.scheduleSeconds, facts.random);
  const asksForRest = result.responseCode === 429 || result.responseCode === 503;
  return {
    ...result,
    waitSeconds: wait === undefined ? null : Math.max(wait, retryAfter ?? 0),
    tries,
    restSeconds: asksForRest ? (retryAfter ?? 0) : 0,
  };
}

/** A failed probe says nothing about its delivery: no try is spent, and the delivery stays parked. */
export function decideAfterProbe(outcome: SendOutcome, facts: AttemptFacts): NextTry {
  const nextTry = decideNextTry(outcome, facts);
  if (nextTry.failure === null) return nextTry;
  return { ...nextTry, waitSeconds: Number.POSITIVE_INFINITY, tries: facts.tries };
}

const mayPostpone = ({ attempt, tries, scheduleSeconds }: AttemptFacts): boolean =>
  attempt - 1 - tries < scheduleSeconds.length;

// The waits grow with the attempts, so that no receiver gets the same delivery every few seconds for days.
function postpone(
  { attempt, tries, scheduleSeconds, random }: AttemptFacts,
  retryAfter: number | undefined,
): Pick<NextTry, 'waitSeconds' | 'tries' | 'restSeconds'> {
  const place = Math.min(attempt + 1, scheduleSeconds.length);
  const wait = retryAfter ?? waitBefore(place, scheduleSeconds, random)!;
  return {
    waitSeconds: Math.max(wait, defaultRestSeconds),
    tries,
    restSeconds: retryAfter ?? defaultRestSeconds,
  };
}

/**
 * Seconds to wait before try number `attempt` (from 1); undefined when the schedule has no such try. `random` is a
 * number from 0 up to 1. A wait of 0 has no jitter.
 */
export function waitBefore(
  attempt: number,
  scheduleSeconds: readonly number[],
  random: number,
): number | undefined {
  const wait = scheduleSeconds[attempt - 1];
  return wait === undefined ? undefined : wait * (1 + jitter * (2 * random - 1));
}

/**
 * The longest time from the first try to the last: each wait with its jitter, or as long as a receiver may postpone the try. Answers of 429,
 * which spend no try, can make it longer.
 */
export const retriesMaxSeconds = (scheduleSeconds: readonly number[]): number =>
  scheduleSeconds
    .map((wait, index) => Math.max(wait * (1 + jitter), index === 0 ? 0 : retryAfterMax))
    .reduce((sum, wait) => sum + wait, 0);

/** The same in whole days: after them a delivery has ended, unless it was postponed longer. */
export const retriesMaxDays = (scheduleSeconds: readonly number[]): number =>
  Math.ceil(retriesMaxSeconds(scheduleSeconds) / 86_400);

/** Seconds of the `Retry-After` of a response, from 0 to an hour. */
function retryAfterOf(outcome: SendOutcome, now: Date): number | undefined {
  if (outcome.kind === 'failed') return undefined;
  const waitMs = readRetryAfter(outcome.headers['retry-after'], now.getTime());
  return waitMs === undefined ? undefined : Math.min(waitMs / 1000, retryAfterMax);
}

type Result = Pick<
  NextTry,
  'failure' | 'failureMessage' | 'responseCode' | 'responseSnippet' | 'responseHeaders'
>;

function readOutcome(outcome: SendOutcome): Result {
  if (outcome.kind === 'failed') {
    const { failure, message } = outcome;
    const noResponse = { responseCode: null, responseSnippet: null, responseHeaders: null };
    return { ...noResponse, failure, failureMessage: message };
  }
  const { statusCode, snippet, headers } = outcome;
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const failure = isSuccess ? null : 'http_status';
  return {
    responseCode: statusCode,
    responseSnippet: snippet,
    responseHeaders: keepHeaders(headers),
    failure,
    failureMessage: null,
  };
}

/** The names and values together are kept up to this many characters. */
const charactersMax = 2000;

/** A cookie of the endpoint can be a secret, so its value is not stored. */
const hidden = '(not kept)';

/** The first headers of a response as a JSON object. */
export function keepHeaders(headers: IncomingHttpHeaders): string {
  const kept: Record<string, string> = {};
  let left = charactersMax;
  for (const name in headers) {
    const given = headers[name] ?? '';
    const value = name === 'set-cookie' ? hidden : typeof given === 'string' ? given : given.join(', ');
    left -= name.length + value.length;
    if (left < 0) break;
    kept[name] = value;
  }
  return JSON.stringify(kept);
}
