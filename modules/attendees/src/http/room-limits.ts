import { createBuckets, type Buckets } from '@service/rest';
import { attendeeErrors } from '../errors.ts';
import type { JoinToken } from '../registration/join-token.ts';

export interface Limits {
  /** Throws room_busy. */
  admitCall(token: JoinToken, now: Date): void;
  /** An additional limit for chat messages. Throws room_busy. */
  admitMessage(token: JoinToken, now: Date): void;
}

/**
 * Limits of the calls of one registration to this process. Only proved tokens are counted. Each token version has its own
 * count, so calls with a replaced link do not count for the new one.
 */
export function createLimits(): Limits {
  const calls = createBuckets({ burst: 300, perMinute: 600 });
  const messages = createBuckets({ burst: 10, perMinute: 30 });
  return {
    admitCall: (token, now) => admit(calls, token, now),
    admitMessage: (token, now) => admit(messages, token, now),
  };
}

function admit(buckets: Buckets, { registrationId, tokenVersion }: JoinToken, now: Date): void {
  const retryAfterSeconds = buckets.take(`${registrationId} ${tokenVersion}`, now);
  if (retryAfterSeconds !== undefined) throw attendeeErrors.room_busy({ retryAfterSeconds });
}
