import { expect, test } from 'vitest';
import { addDays, formatDays, formatShortDay, mondayOf, todayIn } from './days.ts';

test('today is the day of the workspace, in whichever zone the reader is', () => {
  const nowMs = Date.parse('2026-11-22T23:30:00Z');
  expect(todayIn('UTC', nowMs)).toBe('2026-11-22');
  expect(todayIn('Europe/Berlin', nowMs)).toBe('2026-11-23');
  expect(todayIn('America/New_York', nowMs)).toBe('2026-11-22');
});

test('a day is written with its own date, and several with the first and the last one', () => {
  expect(formatDays('2026-11-26', '2026-11-26')).toBe('26 Nov 2026');
  expect(formatShortDay('2026-11-26')).toBe('26 Nov');
  expect(formatDays('2026-11-20', '2026-11-26')).toBe('20 Nov – 26 Nov 2026');
  expect(formatDays('2025-12-31', '2026-01-01')).toBe('31 Dec 2025 – 1 Jan 2026');
});

test('days are counted over the ends of months, and weeks begin on Monday', () => {
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect([mondayOf('2026-11-22'), mondayOf('2026-11-23')]).toEqual(['2026-11-16', '2026-11-23']);
});
