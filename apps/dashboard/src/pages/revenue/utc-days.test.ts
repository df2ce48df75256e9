import { expect, test } from 'vitest';
import { formatDays, formatShortDay } from './utc-days.ts';

test('a day of UTC is written with its own date in every time zone', () => {
  expect(formatDays('2026-11-26T00:00:00.000Z', '2026-11-27T00:00:00.000Z')).toBe('26 Nov 2026');
  expect(formatShortDay('2026-11-26T00:00:00.000Z')).toBe('26 Nov');
});

test('several days are written with the first and the last one', () => {
  expect(formatDays('2026-11-20T00:00:00.000Z', '2026-11-27T00:00:00.000Z')).toBe('20 Nov – 26 Nov 2026');
  expect(formatDays('2025-12-31T00:00:00.000Z', '2026-01-02T00:00:00.000Z')).toBe('31 Dec 2025 – 1 Jan 2026');
});
