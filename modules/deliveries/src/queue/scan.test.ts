import { expect, test } from 'vitest';
import { createScan } from './scan.ts';

test('the next look begins where the last one ended, a little earlier once there was no more', () => {
  const scan = createScan('first tries');
  expect(scan.begin(false)).toBe(0);
  scan.end({ until: 100, isDry: false });
  expect(scan.isDue).toBe(true);
  expect(scan.begin(false)).toBeCloseTo(100, 3);
  scan.end({ until: 200, isDry: true });
  expect(scan.isDue).toBe(false);
  expect(scan.begin(false)).toBe(199.9);
});

test('a look never begins earlier than the one before', () => {
  const scan = createScan('first tries');
  scan.begin(false);
  scan.end({ until: 100, isDry: false });
  const since = scan.begin(false);
  scan.end({ until: 100.05, isDry: true });
  expect(scan.begin(false)).toBe(since);
});

test('accounts that were left out are caught up with from where that began, and the others are not looked at again', () => {
  const scan = createScan('retries');
  scan.begin(false);
  scan.end({ until: 100, isDry: true });
  // Left out from here on, while the others go on.
  expect(scan.begin(true)).toBe(99.9);
  scan.end({ until: 200, isDry: true });
  expect(scan.begin(true)).toBe(199.9);
  scan.end({ until: 300, isDry: true });
  expect(scan.wasCutShort()).toBe(true);
  // There is room again, for a part of it.
  expect(scan.begin(false)).toBe(99.9);
  scan.end({ until: 150, isDry: false });
  expect(scan.isDue).toBe(true);
  expect(scan.begin(true)).toBe(299.9);
  scan.end({ until: 310, isDry: true });
  expect(scan.begin(false)).toBeCloseTo(150, 3);
  scan.end({ until: 320, isDry: true });
  expect(scan.wasCutShort()).toBe(false);
  expect(scan.begin(false)).toBe(319.9);
});

test('a sweep begins at the beginning', () => {
  const scan = createScan('retries');
  scan.begin(true);
  scan.end({ until: 100, isDry: true });
  scan.beginAnew();
  expect(scan.isDue).toBe(true);
  expect(scan.begin(false)).toBe(0);
});
