import type { SendOutcome } from '@service/outbound-http';
import { waitBefore } from './retry-schedule.ts';
import type { DeliveryFailure } from './schemas.ts';

/** What one attempt means for its delivery. */
export interface Settlement {
  /** Until the next try; null when there will be none, because it succeeded or has been given up. */
  waitSeconds: number | null;
  /** Null for a success. */
  failure: DeliveryFailure | null;
  failureMessage: string | null;
  responseCode: number | null;
  responseSnippet: string | null;
}

type Result = Omit<Settlement, 'waitSeconds'>;

/** Any 2xx is a success; everything else is tried again on the schedule until its tries are used up. */
export function settle(
  outcome: SendOutcome,
  {
    attempt,
    scheduleSeconds,
    random,
  }: { attempt: number; scheduleSeconds: readonly number[]; random: number },
): Settlement {
  const result = readOutcome(outcome);
  const waitSeconds = result.failure === null ? undefined : waitBefore(attempt + 1, scheduleSeconds, random);
  return { waitSeconds: waitSeconds ?? null, ...result };
}

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
