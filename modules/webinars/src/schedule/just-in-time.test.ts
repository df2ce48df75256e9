import { expect, test } from 'vitest';
import type { z } from 'zod';
import { isOnDemandStart, justInTimeStarts, onDemandStart } from './just-in-time.ts';
import { ScheduleInput } from './schedule.ts';

function starts(timezone: string, now: string, input: z.input<typeof ScheduleInput>): string[] {
  return justInTimeStarts(ScheduleInput.parse(input), timezone, Date.parse(`${now}Z`)).map((start) =>
    new Date(start).toISOString().slice(0, 16),
  );
}

const every = (intervalMinutes: 15 | 30 | 60, minLeadSeconds = 60) => ({
  justInTime: { intervalMinutes, minLeadSeconds },
});

test.each([
  ['UTC', 15, ['2026-12-01T10:15', '2026-12-01T10:30', '2026-12-01T10:45']],
  ['UTC', 30, ['2026-12-01T10:30', '2026-12-01T11:00', '2026-12-01T11:30']],
  // The full hour in Kathmandu and on Chatham Island is a quarter past in UTC.
  ['Asia/Kathmandu', 60, ['2026-12-01T10:15', '2026-12-01T11:15', '2026-12-01T12:15']],
  ['Asia/Kathmandu', 30, ['2026-12-01T10:15', '2026-12-01T10:45', '2026-12-01T11:15']],
  ['Pacific/Chatham', 60, ['2026-12-01T10:15', '2026-12-01T11:15', '2026-12-01T12:15']],
] as const)('slots lie on the minutes of the local clock: %s, every %i', (timezone, interval, expected) => {
  expect(starts(timezone, '2026-12-01T10:05', every(interval))).toEqual(expected);
});

test('slots stay on the full hour when the clock of Lord Howe moves by half an hour', () => {
  // At 15:00 UTC 02:00 (+11) becomes 01:30 (+10:30); before it, full hours are full hours in UTC.
  expect(starts('Australia/Lord_Howe', '2026-04-04T13:30', every(60))).toEqual([
    '2026-04-04T14:00',
    '2026-04-04T15:30',
    '2026-04-04T16:30',
  ]);
});

test('a slot can be booked until its lead time, to the second', () => {
  expect(starts('UTC', '2026-12-01T10:14:00', every(15))[0]).toBe('2026-12-01T10:15');
  expect(starts('UTC', '2026-12-01T10:14:01', every(15))[0]).toBe('2026-12-01T10:30');
  expect(starts('UTC', '2026-12-01T10:15:00', every(15, 0))[0]).toBe('2026-12-01T10:15');
});

test('slots are inside the hours of operation, also over midnight, and not on blackout dates', () => {
  const office = { ...every(60), hoursOfOperation: { start: '09:00', end: '17:00' } };
  expect(starts('Europe/Berlin', '2026-12-01T14:30', office)).toEqual([
    '2026-12-01T15:00',
    '2026-12-02T08:00',
    '2026-12-02T09:00',
  ]);
  const night = { ...every(60), hoursOfOperation: { start: '23:00', end: '01:00' } };
  expect(starts('UTC', '2026-12-01T10:00', night)).toEqual([
    '2026-12-01T23:00',
    '2026-12-02T00:00',
    '2026-12-02T23:00',
  ]);
  const closed = { ...every(60), blackoutDates: ['2026-12-01', '2026-12-02', '2026-12-03'] };
  expect(starts('UTC', '2026-12-01T10:00', closed)).toEqual([]);
});

test('an on-demand start is the current minute, and minutes up to ten old and five ahead are accepted', () => {
  const now = Date.parse('2026-12-01T10:05:30Z');
  expect(onDemandStart(now)).toBe(Date.parse('2026-12-01T10:05Z'));
  const isNear = (at: string): boolean => isOnDemandStart(Date.parse(at), now);
  expect(isNear('2026-12-01T09:56Z')).toBe(true);
  expect(isNear('2026-12-01T09:55Z')).toBe(false);
  expect(isNear('2026-12-01T10:10Z')).toBe(true);
  expect(isNear('2026-12-01T10:11Z')).toBe(false);
  expect(isNear('2026-12-01T10:05:30Z')).toBe(false);
});
