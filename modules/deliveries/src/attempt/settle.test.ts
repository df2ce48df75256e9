import type { SendOutcome } from '@service/outbound-http';
import { expect, test } from 'vitest';
import { settle, settleProbe, type AttemptFacts } from './settle.ts';

const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
const answer = (statusCode: number, headers = {}): SendOutcome => ({
  kind: 'response',
  statusCode,
  headers,
  snippet: 'body',
  truncated: false,
  redirects: [],
  durationMs: 3,
  timings,
});
const timeout: SendOutcome = {
  kind: 'failed',
  failure: 'timeout',
  message: 'No answer.',
  redirects: [],
  durationMs: 9,
  timings,
};
const now = new Date('2026-12-01T09:00:00Z');

/** Attempt number `attempt`, every one before it spent a try. */
const at = (attempt: number, facts: Partial<AttemptFacts> = {}): AttemptFacts => ({
  attempt,
  tries: attempt - 1,
  scheduleSeconds: [0, 10, 20],
  now,
  random: 0.5,
  ...facts,
});

test('any 2xx ends a delivery as a success, also after failed tries', () => {
  for (const statusCode of [200, 202, 204, 299]) {
    expect(settle(answer(statusCode), at(3))).toMatchObject({ waitSeconds: null, failure: null });
  }
});

test('any other answer is tried again after the wait of the next try', () => {
  for (const statusCode of [199, 300, 303, 404, 410, 500, 503]) {
    expect(settle(answer(statusCode), at(1))).toMatchObject({
      waitSeconds: 10,
      tries: 1,
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
    tries: 1,
    responseCode: null,
    responseSnippet: null,
    failure: 'timeout',
    failureMessage: 'No answer.',
    restSeconds: 0,
  });
});

test('the last try of the schedule that fails is the end', () => {
  expect(settle(answer(500), at(3))).toMatchObject({ waitSeconds: null, failure: 'http_status' });
  expect(settle(timeout, at(7))).toMatchObject({ waitSeconds: null, failure: 'timeout' });
});

test('a longer Retry-After makes the wait longer, a shorter one does not make it shorter', () => {
  const wait = (value: string) => settle(answer(503, { 'retry-after': value }), at(1)).waitSeconds;
  expect(wait('60')).toBe(60);
  expect(wait('2')).toBe(10);
  expect(wait('1000000000')).toBe(3600);
  expect(wait('Tue, 01 Dec 2026 09:01:00 GMT')).toBe(60);
  expect(wait('soon')).toBe(10);
});

test('after a 503 that asks for time the receiver rests, and the last try stays the last', () => {
  expect(settle(answer(503, { 'retry-after': '60' }), at(1)).restSeconds).toBe(60);
  expect(settle(answer(500, { 'retry-after': '60' }), at(1)).restSeconds).toBe(0);
  expect(settle(answer(503, { 'retry-after': '60' }), at(3)).waitSeconds).toBeNull();
});

test('429 spends no try, comes again when it says, and the receiver rests until then', () => {
  const settlement = settle(answer(429, { 'retry-after': '5' }), at(1));
  expect(settlement).toMatchObject({ waitSeconds: 5, tries: 0, failure: 'http_status', restSeconds: 5 });
  expect(settle(answer(429, { 'retry-after': '0' }), at(1))).toMatchObject({ waitSeconds: 1, tries: 0 });
});

test('429 without a time waits longer with every attempt', () => {
  const wait = (attempt: number) => settle(answer(429), at(attempt, { tries: 0 })).waitSeconds;
  expect([wait(1), wait(2), wait(3)]).toEqual([10, 20, 20]);
});

test('429 is free only as often as there are tries, so that no delivery waits for ever', () => {
  const free = settle(answer(429), at(3, { tries: 0 }));
  const spent = settle(answer(429), at(4, { tries: 0 }));
  expect([free.tries, spent.tries]).toEqual([0, 1]);
  expect(settle(answer(429), at(6, { tries: 2 }))).toMatchObject({ tries: 3, waitSeconds: null });
});

test('a probe that fails spends no try and holds the delivery; one that succeeds ends it', () => {
  expect(settleProbe(timeout, at(3))).toMatchObject({ waitSeconds: Infinity, tries: 2, failure: 'timeout' });
  expect(settleProbe(answer(200), at(3))).toMatchObject({ waitSeconds: null, failure: null });
});
