import { attendeeErrors, type JoinToken } from '@service/attendees';
import { createBuckets, type Buckets } from './buckets.ts';

export interface Limits {
  /** Throws room_busy. */
  admitCall(token: JoinToken, now: Date): void;
  /** The same of chat messages, which are calls as well. */
  admitMessage(token: JoinToken, now: Date): void;
}

/**
 * The calls of one registration to this process, by any of its links. Only proved tokens come here. Each version is counted by
 * itself: calls with a link that was rotated away do not count for the new one.
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
