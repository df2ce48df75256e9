import { expect, test } from 'vitest';
import { describeTime, describeWait } from './describe-time.ts';

test('a time is written in its zone, with the name of the zone on that day', () => {
  const before = new Date('2026-11-01T05:30:00Z');
  const after = new Date('2026-11-01T06:30:00Z');
  expect(describeTime(before, 'America/New_York')).toBe(
    'Sunday, 1 November 2026 at 01:30 (Eastern Daylight Time)',
  );
  expect(describeTime(after, 'America/New_York')).toBe(
    'Sunday, 1 November 2026 at 01:30 (Eastern Standard Time)',
  );
  expect(describeTime(new Date('2026-12-01T18:20:00Z'), 'Asia/Kathmandu')).toContain(
    '2 December 2026 at 00:05',
  );
  expect(describeTime(new Date('2026-09-26T13:59:00Z'), 'Pacific/Auckland')).toContain(
    '27 September 2026 at 01:59',
  );
  expect(describeTime(new Date('2026-09-26T14:00:00Z'), 'Pacific/Auckland')).toContain(
    '27 September 2026 at 03:00',
  );
});

test('a wait is rounded to whole minutes, hours and days', () => {
  const minutes = (count: number): string => describeWait(count * 60_000);
  expect(minutes(1)).toBe('1 minute');
  expect(minutes(59.7)).toBe('1 hour');
  expect(minutes(1440)).toBe('24 hours');
  expect(minutes(2880)).toBe('2 days');
  expect(minutes(0)).toBe('');
  expect(minutes(-5)).toBe('');
});
