import { expect, test } from 'vitest';
import { failureOf, isWorthRetrying, RequestFailure, retryDelayMs } from './failure.ts';

const refusal = (status: number, retryAfterSeconds?: number) =>
  new RequestFailure({
    code: 'a_code',
    status,
    message: 'Said by the service.',
    requestId: 'id',
    issues: [],
    retryAfterSeconds,
  });

test('a call without an answer is a failure of its own', () => {
  expect(failureOf(new TypeError('fetch failed'))).toMatchObject({ code: 'unreachable', status: undefined });
  expect(isWorthRetrying(new TypeError('fetch failed'))).toBe(true);
});

test('a query is repeated when it may help, and not before the time that the service asked for', () => {
  expect(isWorthRetrying(refusal(503, 5))).toBe(true);
  expect(isWorthRetrying(refusal(429, 41))).toBe(false);
  expect(isWorthRetrying(refusal(404))).toBe(false);
  for (const [count, seconds] of [5, 5, 5].entries()) {
    const delayMs = retryDelayMs(count, refusal(503, seconds));
    expect(delayMs).toBeGreaterThanOrEqual(5000);
    expect(delayMs).toBeLessThan(6000);
  }
  expect(retryDelayMs(1, refusal(500))).toBeGreaterThanOrEqual(2000);
});
