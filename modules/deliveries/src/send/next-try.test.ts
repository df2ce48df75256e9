import type { SendOutcome } from '@service/outbound-http';
import { expect, test } from 'vitest';
import { decideAfterProbe, decideNextTry, keepHeaders, waitBefore } from './next-try.ts';
import type { AttemptFacts } from './next-try.ts';

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
  mayHaveArrived: true,
  redirects: [],
  durationMs: 9,
  timings,
};
const now = new Date('2026-12-01T09:00:00Z');

/** Attempt number `attempt`; every attempt before it has spent a try. */
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
    expect(decideNextTry(answer(statusCode), at(3))).toMatchObject({ waitSeconds: null, failure: null });
  }
});

test('any other answer is tried again after the wait that the schedule has for the next try', () => {
  for (const statusCode of [199, 300, 303, 404, 410, 500, 503]) {
    expect(decideNextTry(answer(statusCode), at(1))).toMatchObject({
      waitSeconds: 10,
      tries: 1,
      responseCode: statusCode,
      responseSnippet: 'body',
      failure: 'http_status',
    });
  }
  expect(decideNextTry(answer(500), at(2)).waitSeconds).toBe(20);
});

test('an attempt without an answer keeps its failure and its message', () => {
  expect(decideNextTry(timeout, at(1))).toEqual({
    waitSeconds: 10,
    tries: 1,
    responseCode: null,
    responseSnippet: null,
    responseHeaders: null,
    failure: 'timeout',
    failureMessage: 'No answer.',
    restSeconds: 0,
  });
});

test('a delivery ends with the last try of the schedule', () => {
  expect(decideNextTry(answer(500), at(3))).toMatchObject({ waitSeconds: null, failure: 'http_status' });
  expect(decideNextTry(timeout, at(7))).toMatchObject({ waitSeconds: null, failure: 'timeout' });
});

test('a longer Retry-After makes the wait longer, a shorter one does not make it shorter', () => {
  const wait = (value: string) => decideNextTry(answer(503, { 'retry-after': value }), at(1)).waitSeconds;
  expect(wait('60')).toBe(60);
  expect(wait('2')).toBe(10);
  expect(wait('1000000000')).toBe(3600);
  expect(wait('Tue, 01 Dec 2026 09:01:00 GMT')).toBe(60);
  expect(wait('Fri, 01 Jan 2100 00:00:00 GMT')).toBe(3600);
  expect(wait('soon')).toBe(10);
});

test('after a 503 with Retry-After the receiver rests, and the last try is still the last', () => {
  expect(decideNextTry(answer(503, { 'retry-after': '60' }), at(1)).restSeconds).toBe(60);
  expect(decideNextTry(answer(500, { 'retry-after': '60' }), at(1)).restSeconds).toBe(0);
  expect(decideNextTry(answer(503, { 'retry-after': '60' }), at(3)).waitSeconds).toBeNull();
});

test('429 spends no try, is tried again after Retry-After, and the receiver rests until then', () => {
  const nextTry = decideNextTry(answer(429, { 'retry-after': '5' }), at(1));
  expect(nextTry).toMatchObject({ waitSeconds: 5, tries: 0, failure: 'http_status', restSeconds: 5 });
  expect(decideNextTry(answer(429, { 'retry-after': '0' }), at(1))).toMatchObject({
    waitSeconds: 1,
    tries: 0,
  });
});

test('429 without Retry-After waits longer with every attempt', () => {
  const wait = (attempt: number) => decideNextTry(answer(429), at(attempt, { tries: 0 })).waitSeconds;
  expect([wait(1), wait(2), wait(3)]).toEqual([10, 20, 20]);
});

test('429 spends no try only as many times as there are tries, so that no delivery waits for ever', () => {
  const free = decideNextTry(answer(429), at(3, { tries: 0 }));
  const spent = decideNextTry(answer(429), at(4, { tries: 0 }));
  expect([free.tries, spent.tries]).toEqual([0, 1]);
  expect(decideNextTry(answer(429), at(6, { tries: 2 }))).toMatchObject({ tries: 3, waitSeconds: null });
});

test('a failed probe spends no try and leaves its delivery parked; a successful probe ends it', () => {
  expect(decideAfterProbe(timeout, at(3))).toMatchObject({
    waitSeconds: Infinity,
    tries: 2,
    failure: 'timeout',
  });
  expect(decideAfterProbe(answer(200), at(3))).toMatchObject({ waitSeconds: null, failure: null });
});

const schedule = [0, 5, 30];

test('the first try does not wait, with any random number', () => {
  expect(waitBefore(1, schedule, 0)).toBe(0);
  expect(waitBefore(1, schedule, 0.999)).toBe(0);
});

test('later tries wait as long as scheduled, 20 % less to 20 % more', () => {
  expect(waitBefore(2, schedule, 0.5)).toBeCloseTo(5);
  expect(waitBefore(3, schedule, 0)).toBeCloseTo(24);
  expect(waitBefore(3, schedule, 1)).toBeCloseTo(36);
});

test('there are as many tries as the schedule has entries', () => {
  expect(waitBefore(3, schedule, 0.5)).toBeDefined();
  expect(waitBefore(4, schedule, 0.5)).toBeUndefined();
});

test('headers are kept with their values, and a repeated one as a list', () => {
  const kept = keepHeaders({ 'content-type': 'text/plain', server: 'nginx', 'x-a': ['1', '2'] as never });
  expect(JSON.parse(kept)).toEqual({ 'content-type': 'text/plain', server: 'nginx', 'x-a': '1, 2' });
});

test('the value of a cookie is not kept', () => {
  const kept = keepHeaders({ 'set-cookie': ['session=secret; HttpOnly'] });
  expect(JSON.parse(kept)).toEqual({ 'set-cookie': '(not kept)' });
});

test('headers that are too long together are left out from there on', () => {
  const kept = keepHeaders({ first: 'a', long: 'x'.repeat(2000), last: 'b' });
  expect(JSON.parse(kept)).toEqual({ first: 'a' });
});
