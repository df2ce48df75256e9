import { expect, test } from 'vitest';
import { failureOf, isWorthRetrying, messageFor, RequestFailure, retryDelayMs } from './failure.ts';

const refusal = (code: string, retryAfterSeconds?: number) =>
  new RequestFailure({
    code,
    message: 'Said by the service.',
    requestId: 'id',
    issues: [],
    retryAfterSeconds,
  });

test('the message of a temporary refusal contains the wait, other messages are those of the service', () => {
  const message = 'Said by the service.';
  expect(messageFor({ code: 'too_many_calls', message, retryAfterSeconds: 41 })).toBe(
    'Too many requests in a short time. Try again in 41 seconds.',
  );
  expect(messageFor({ code: 'service_busy', message, retryAfterSeconds: 1 })).toContain('in 1 second.');
  expect(messageFor({ code: 'service_unavailable', message, retryAfterSeconds: undefined })).toBe(message);
  expect(messageFor({ code: 'not_found', message, retryAfterSeconds: 5 })).toBe(message);
  expect(failureOf(new TypeError('fetch failed')).code).toBe('unreachable');
});

test('a query is repeated when it may help, and not before the time that the service asked for', () => {
  expect(isWorthRetrying(refusal('service_unavailable', 5))).toBe(true);
  expect(isWorthRetrying(refusal('too_many_calls', 41))).toBe(false);
  expect(isWorthRetrying(refusal('not_found'))).toBe(false);
  for (const [count, seconds] of [5, 5, 5].entries()) {
    const delayMs = retryDelayMs(count, refusal('service_busy', seconds));
    expect(delayMs).toBeGreaterThanOrEqual(5000);
    expect(delayMs).toBeLessThan(6000);
  }
  expect(retryDelayMs(1, refusal('internal_error'))).toBeGreaterThanOrEqual(2000);
});
