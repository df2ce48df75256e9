import { expect, test } from 'vitest';
import { readRetryAfter, readWait } from './call-api.ts';

const now = Date.parse('2026-12-01T09:00:00Z');

test('a wait is read as seconds, as a Unix time and as a date, and is at most a day', () => {
  const cases: [headers: Record<string, string>, waitMs: number | undefined][] = [
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'Tue, 01 Dec 2026 09:00:30 GMT' }, 30_000],
    [{ 'retry-after': '999999999' }, 86_400_000],
    [{ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 86_400_000],
    [{ 'x-ratelimit-reset': String(now / 1000 + 12) }, 12_000],
    [{ 'x-ratelimit-reset': String(now / 1000 - 12) }, 0],
    [{ 'x-sib-ratelimit-reset': '3' }, 3000],
    [{ 'retry-after': '-5', 'ratelimit-reset': '2' }, 2000],
    [{ 'retry-after': '0.5' }, undefined],
    [{}, undefined],
  ];
  for (const [headers, waitMs] of cases) expect(readWait(headers, now), JSON.stringify(headers)).toBe(waitMs);
});

test.each([
  ['5', 5],
  [' 120 ', 120],
  ['0', 0],
  ['1000000000', 1_000_000_000],
  ['Tue, 01 Dec 2026 09:00:30 GMT', 30],
  ['Tue, 01 Dec 2026 08:00:00 GMT', 0],
  ['Tuesday, 01-Dec-26 09:00:30 GMT', 30],
  ['Tue Dec  1 09:00:30 2026 GMT', 30],
])('a Retry-After of %s is %d seconds', (header, seconds) => {
  expect(readRetryAfter(header, now)).toBe(seconds * 1000);
});

test.each(['-1', '1e9', '5s', '1.5', '', 'soon', '2026-12-01T09:00:30Z', 'Tue, 99 Foo 2026', '+5', '0x10'])(
  'a Retry-After of %j is ignored',
  (header) => {
    expect(readRetryAfter(header, now)).toBeUndefined();
  },
);

test('without a Retry-After there is no wait, and of several the first counts', () => {
  expect(readRetryAfter(undefined, now)).toBeUndefined();
  expect(readRetryAfter(['7', '9'], now)).toBe(7000);
});
