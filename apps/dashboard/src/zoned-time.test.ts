import { expect, test } from 'vitest';
import { instantToZonedTime, zonedTimeToInstant } from './zoned-time.ts';

test.each([
  ['2026-12-01T15:00', 'Europe/Berlin', '2026-12-01T14:00:00.000Z'],
  ['2026-07-01T15:00', 'Europe/Berlin', '2026-07-01T13:00:00.000Z'],
  ['2026-12-01T00:30', 'Pacific/Auckland', '2026-11-30T11:30:00.000Z'],
  ['2026-12-01T15:00', 'Asia/Kolkata', '2026-12-01T09:30:00.000Z'],
  // New York leaves daylight time at 06:00 UTC that day: the hours on both sides of it.
  ['2026-11-01T00:30', 'America/New_York', '2026-11-01T04:30:00.000Z'],
  ['2026-11-01T03:00', 'America/New_York', '2026-11-01T08:00:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(zonedTimeToInstant(local, zone)).toBe(instant);
  expect(instantToZonedTime(Date.parse(instant), zone)).toBe(local);
});

test('a wall clock time that a clock change skips moves forward', () => {
  expect(zonedTimeToInstant('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});
