import { claimedRegistrationId, webinarErrors } from '@service/webinars';
import { createBuckets, type Buckets } from './buckets.ts';

export interface Limits {
  /** Throws room_busy. A text that names no registration is not counted: what it gets is cheap. */
  admitCall(token: string, now: Date): void;
  /** The same of chat messages, which are calls as well. */
  admitMessage(token: string, now: Date): void;
}

/** What one registration may ask of this process, whichever of its links it comes with. */
export function createLimits(): Limits {
  const calls = createBuckets({ burst: 300, perMinute: 600 });
  const messages = createBuckets({ burst: 10, perMinute: 30 });
  return {
    admitCall: (token, now) => admit(calls, token, now),
    admitMessage: (token, now) => admit(messages, token, now),
  };
}

function admit(buckets: Buckets, token: string, now: Date): void {
  const registrationId = claimedRegistrationId(token);
  if (registrationId === null) return;
  const retryAfterSeconds = buckets.take(registrationId, now);
  if (retryAfterSeconds !== undefined) throw webinarErrors.room_busy({ retryAfterSeconds });
}
