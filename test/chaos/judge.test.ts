import { expect, test } from 'vitest';
import type { Check } from './drill.ts';
import {
  countDuplicates,
  judgeAnswers,
  judgeDeliveries,
  judgeEvents,
  judgeFailures,
  killAt,
} from './judge.ts';
import type { DeliveryRecord, RegistrationRecord } from './records.ts';
import type { Receipt } from '../support/receiver-process.ts';
import type { Answer } from './traffic.ts';

const answer = (emails: string[], acknowledged = true): Answer => ({
  at: 0,
  durationMs: 1,
  status: acknowledged ? 201 : undefined,
  emails,
  acknowledged,
});
const registration = (email: string, differs: Partial<RegistrationRecord> = {}): RegistrationRecord => ({
  email,
  events: 1,
  deliveries: 2,
  rules: 2,
  ...differs,
});
const delivered = (differs: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  id: 'one',
  url: null,
  createdAt: 0,
  status: 'success',
  attempts: 1,
  numbered: true,
  successes: 1,
  ...differs,
});
const receipt = (id: string): Receipt => ({ id, path: '/', at: 1, timestampSeconds: 0 });
const failed = (checks: readonly Check[]): string[] =>
  checks.filter(({ passed }) => !passed).map(({ claim }) => claim);

test('acknowledged registrations with events and deliveries pass, and so do refused ones that do not exist', () => {
  const answers = [answer(['a', 'b']), answer(['c', 'd'], false), answer(['e', 'f'], false)];
  expect(
    failed(
      judgeEvents(
        ['a', 'b', 'c', 'd'].map((email) => registration(email)),
        answers,
      ),
    ),
  ).toEqual([]);
});

test.each([
  [
    'an acknowledged one is missing',
    [],
    [answer(['a'])],
    'something was acknowledged, and all of it is there',
  ],
  [
    'nothing was acknowledged',
    [],
    [answer(['a'], false)],
    'something was acknowledged, and all of it is there',
  ],
  [
    'half of a request is there',
    [registration('a'), registration('b')],
    [answer(['a']), answer(['b', 'c'], false)],
    'every request was carried out in whole or not at all',
  ],
  [
    'a delivery is missing, of one that was not acknowledged',
    [registration('a'), registration('b', { deliveries: 1 })],
    [answer(['a']), answer(['b'], false)],
    'every registration has its event and its deliveries',
  ],
  [
    'an event is missing',
    [registration('a', { events: 0 })],
    [answer(['a'])],
    'every registration has its event and its deliveries',
  ],
])('it fails when %s', (_, registrations, answers, claim) => {
  expect(failed(judgeEvents(registrations, answers))).toEqual([claim]);
});

test('a delivery that was received, one that waits and one that was given up pass', () => {
  const waiting = delivered({ id: 'two', status: 'waiting', attempts: 0, successes: 0 });
  const givenUp = delivered({ id: 'three', status: 'failure', attempts: 6, successes: 0 });
  const receipts = [receipt('one'), receipt('three')];
  expect(failed(judgeDeliveries([delivered(), waiting, givenUp], receipts))).toEqual([]);
});

const onRecord = 'every end is on record: one success, or failures only';
test.each([
  ['a success was not received', delivered(), [], 'every success was received'],
  ['an end has no attempt', delivered({ status: 'failure', attempts: 0, successes: 0 }), ['one'], onRecord],
  ['two attempts succeeded', delivered({ attempts: 2, successes: 2 }), ['one', 'one'], onRecord],
  ['a success was marked as given up', delivered({ status: 'failure' }), ['one'], onRecord],
  ['it vanished after a failure', delivered({ status: 'vanished', successes: 0 }), ['one'], onRecord],
  ['it was cancelled', delivered({ status: 'cancelled' }), ['one'], onRecord],
  ['an attempt is missing', delivered({ numbered: false }), ['one'], 'attempts are numbered without gaps'],
  ['something unknown came', delivered(), ['one', 'two'], 'nothing was received that is not on record'],
])('it fails when %s', (_, delivery, ids, claim) => {
  expect(failed(judgeDeliveries([delivery], ids.map(receipt)))).toEqual([claim]);
});

test('the check fails for a delivery that was given up although its receiver takes it in the end', () => {
  expect(judgeFailures([delivered()]).passed).toBe(true);
  expect(judgeFailures([delivered(), delivered({ status: 'failure' })]).passed).toBe(false);
});

test('the check of registrations fails when one was not sent, not acknowledged or late, or when there was none', () => {
  const good = answer(['a']);
  expect(judgeAnswers([good], 0).passed).toBe(true);
  expect(judgeAnswers([good], 1).passed).toBe(false);
  expect(judgeAnswers([], 0).passed).toBe(false);
  for (const bad of [answer(['b'], false), { ...answer(['b']), durationMs: 10_001 }])
    expect(judgeAnswers([good, bad], 0).passed).toBe(false);
});

test('requests beyond the attempts on record are counted, retries are not', () => {
  const retried = delivered({ id: 'two', attempts: 2 });
  const receipts = ['one', 'one', 'one', 'two', 'two'].map(receipt);
  expect(countDuplicates([delivered(), retried], receipts, [])).toEqual({ count: 2, unexplained: 2 });
});

test.each([
  ['was open when a worker was killed', { at: 1000, endedAt: 9000 }, 0],
  ['had no end', { at: 1000, endedAt: undefined }, 0],
  ['had been answered right before, and its result not recorded', { at: 1000, endedAt: 4900 }, 0],
  ['had been answered long before', { at: 1000, endedAt: 3000 }, 1],
  ['came after the kill', { at: 5001, endedAt: 5002 }, 1],
])('a second request of a delivery that %s: %j leaves %i unexplained', (_, first, unexplained) => {
  const receipts = [
    { ...receipt('one'), ...first },
    { ...receipt('one'), at: 20_000, endedAt: 20_001 },
  ];
  expect(countDuplicates([delivered()], receipts, [killAt(5000)])).toEqual({ count: 1, unexplained });
});

test('one interruption explains one second request of a delivery and no third', () => {
  const receipts = [1000, 20_000, 30_000].map((at) => ({ ...receipt('one'), at, endedAt: at + 4500 }));
  expect(countDuplicates([delivered()], receipts, [killAt(5000)])).toEqual({ count: 2, unexplained: 1 });
  const both = [killAt(5000), killAt(24_000)];
  expect(countDuplicates([delivered()], receipts, both)).toEqual({ count: 2, unexplained: 0 });
});
