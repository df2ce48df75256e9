import { expect, test } from 'vitest';
import { createBuckets, addressKey } from './buckets.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const at = (seconds: number): Date => new Date(start + seconds * 1000);

test('a full bucket can be emptied at once, then tokens can be taken as fast as they are added', () => {
  const buckets = createBuckets({ burst: 3, perMinute: 30 });
  expect([0, 0, 0, 0].map((seconds) => buckets.take('ada', at(seconds)))).toEqual([
    undefined,
    undefined,
    undefined,
    2,
  ]);
  expect(buckets.take('ada', at(1.5))).toBe(1);
  expect([2, 2, 3.9, 4].map((seconds) => buckets.take('ada', at(seconds)))).toEqual([
    undefined,
    2,
    1,
    undefined,
  ]);
});

test('a bucket is never fuller than its burst, and each key has its own bucket', () => {
  const buckets = createBuckets({ burst: 2, perMinute: 60 });
  const takeFour = (key: string, seconds: number) =>
    [1, 2, 3, 4].filter(() => buckets.take(key, at(seconds)) === undefined).length;
  expect([takeFour('ada', 0), takeFour('bob', 0), takeFour('ada', 3600)]).toEqual([2, 2, 2]);
});

test('a clock that is set back neither adds nor removes tokens', () => {
  const buckets = createBuckets({ burst: 2, perMinute: 60 });
  buckets.take('ada', at(0));
  expect([-3600, -3600].map((seconds) => buckets.take('ada', at(seconds)))).toEqual([undefined, 1]);
  expect(buckets.take('ada', at(-3599))).toBeUndefined();
});

test('a key can ask for its wait without taking a token', () => {
  const buckets = createBuckets({ burst: 1, perMinute: 30 });
  expect(buckets.wait('ada', at(0))).toBeUndefined();
  expect([buckets.wait('ada', at(0)), buckets.take('ada', at(0))]).toEqual([undefined, undefined]);
  expect([0, 1.5, 2].map((seconds) => buckets.wait('ada', at(seconds)))).toEqual([2, 1, undefined]);
  expect(buckets.take('ada', at(2))).toBeUndefined();
});

test('the addresses of an IPv6 network count as one, and both spellings of an IPv4 address count as one', () => {
  const network = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:0db8:0001:0002::'].map(addressKey);
  expect(new Set(network).size).toBe(1);
  expect(addressKey('2001:db8:1:3::1')).not.toBe(network[0]);
  expect(addressKey('::ffff:203.0.113.7')).toBe(addressKey('203.0.113.7'));
  expect(addressKey('')).toBe('');
});
