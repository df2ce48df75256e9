import type { SendOutcome } from '@service/outbound-http';
import { expect, test } from 'vitest';
import { settle } from './settle.ts';

const answer = (statusCode: number): SendOutcome => ({
  kind: 'response',
  statusCode,
  headers: {},
  snippet: 'body',
  truncated: false,
  redirects: [],
  durationMs: 3,
});
const timeout: SendOutcome = {
  kind: 'failed',
  failure: 'timeout',
  message: 'No answer.',
  redirects: [],
  durationMs: 9,
};
const at = (attempt: number) => ({ attempt, scheduleSeconds: [0, 10, 20], random: 0.5 });

test('any 2xx ends a delivery as a success, also after failed tries', () => {
  for (const statusCode of [200, 202, 204, 299]) {
    expect(settle(answer(statusCode), at(3))).toMatchObject({ waitSeconds: null, failure: null });
  }
});

test('any other answer is tried again after the wait of the next try', () => {
  for (const statusCode of [199, 300, 303, 404, 410, 500, 503]) {
    expect(settle(answer(statusCode), at(1))).toMatchObject({
      waitSeconds: 10,
      responseCode: statusCode,
      responseSnippet: 'body',
      failure: 'http_status',
    });
  }
  expect(settle(answer(500), at(2)).waitSeconds).toBe(20);
});

test('an attempt without an answer keeps what happened to it', () => {
  expect(settle(timeout, at(1))).toEqual({
    waitSeconds: 10,
    responseCode: null,
    responseSnippet: null,
    failure: 'timeout',
    failureMessage: 'No answer.',
  });
});

test('the last try of the schedule that fails is the end', () => {
  expect(settle(answer(500), at(3))).toMatchObject({ waitSeconds: null, failure: 'http_status' });
  expect(settle(timeout, at(7))).toMatchObject({ waitSeconds: null, failure: 'timeout' });
});
