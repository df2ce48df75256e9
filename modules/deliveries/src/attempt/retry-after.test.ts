import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = new Date('2026-12-01T09:00:00Z');

test.each([
  ['5', 5],
  [' 120 ', 120],
  ['0', 0],
  ['3600', 3600],
  ['1000000000', 3600],
  ['99999999999999999999999', 3600],
  ['Tue, 01 Dec 2026 09:00:30 GMT', 30],
  ['Tue, 01 Dec 2026 08:00:00 GMT', 0],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 3600],
  ['Tuesday, 01-Dec-26 09:00:30 GMT', 30],
  ['Tue Dec  1 09:00:30 2026 GMT', 30],
])('%s asks for %d seconds', (header, seconds) => {
  expect(readRetryAfter(header, now)).toBe(seconds);
});

test.each(['-1', '1e9', '5s', '1.5', '', 'soon', '2026-12-01T09:00:30Z', 'Tue, 99 Foo 2026', '+5', '0x10'])(
  'nonsense such as %j asks for nothing',
  (header) => {
    expect(readRetryAfter(header, now)).toBeUndefined();
  },
);

test('without the header nothing is asked, and of several the first counts', () => {
  expect(readRetryAfter(undefined, now)).toBeUndefined();
  expect(readRetryAfter(['7', '9'], now)).toBe(7);
});
