import { expect, test } from 'vitest';
import { createScan } from './claimer.ts';

test('the next scan begins at the end of the last one, and a little earlier if that one reached the end of the queue', () => {
  const scan = createScan();
  expect(scan.begin(false)).toBe(0);
  scan.end({ until: 100, isDry: false });
  expect(scan.isDue).toBe(true);
  expect(scan.begin(false)).toBeCloseTo(100, 3);
  scan.end({ until: 200, isDry: true });
  expect(scan.isDue).toBe(false);
  expect(scan.begin(false)).toBe(199.9);
});

test('a scan never begins earlier than the one before', () => {
  const scan = createScan();
  scan.begin(false);
  scan.end({ until: 100, isDry: false });
  const since = scan.begin(false);
  scan.end({ until: 100.05, isDry: true });
  expect(scan.begin(false)).toBe(since);
});

test('accounts that were left out are scanned later from the position where that began, and other accounts are not scanned again', () => {
  const scan = createScan();
  scan.begin(false);
  scan.end({ until: 100, isDry: true });
  // Accounts are left out from here on, while scans for the others go on.
  expect(scan.begin(true)).toBe(99.9);
  scan.end({ until: 200, isDry: true });
  expect(scan.begin(true)).toBe(199.9);
  scan.end({ until: 300, isDry: true });
  expect(scan.hasLeftOutAccounts()).toBe(true);
  // These accounts have capacity again, for a part of their deliveries.
  expect(scan.begin(false)).toBe(99.9);
  scan.end({ until: 150, isDry: false });
  expect(scan.isDue).toBe(true);
  expect(scan.begin(true)).toBe(299.9);
  scan.end({ until: 310, isDry: true });
  expect(scan.begin(false)).toBeCloseTo(150, 3);
  scan.end({ until: 320, isDry: true });
  expect(scan.hasLeftOutAccounts()).toBe(false);
  expect(scan.begin(false)).toBe(319.9);
});

test('a restarted scan begins at the beginning', () => {
  const scan = createScan();
  scan.begin(true);
  scan.end({ until: 100, isDry: true });
  scan.restart();
  expect(scan.isDue).toBe(true);
  expect(scan.begin(false)).toBe(0);
});
