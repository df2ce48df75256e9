import { expect, test } from 'vitest';
import { blackoutsMax, daysOf, rangesOf, weekdaysOf } from './schedule-values.ts';

test('a range of days has both ends, also over the end of a year and the change of the clock', () => {
  expect(daysOf('2026-12-30', '2027-01-01')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01']);
  expect(daysOf('2026-10-24', '2026-10-26')).toHaveLength(3);
  expect(daysOf('2026-12-30', '2026-12-30')).toEqual(['2026-12-30']);
  expect(daysOf('2026-12-30', '2026-12-29')).toEqual([]);
  expect(daysOf('2026-12-30', '9999-12-31')).toHaveLength(blackoutsMax + 1);
});

test('days that follow each other are one range', () => {
  expect(rangesOf([...daysOf('2026-12-24', '2027-01-02'), '2027-01-04'])).toEqual([
    { first: '2026-12-24', last: '2027-01-02' },
    { first: '2027-01-04', last: '2027-01-04' },
  ]);
});

test('without chosen weekdays sessions start on the weekday of the first day', () => {
  const weekly = { frequency: 'weekly', dayOfMonth: '', time: '18:00', endDate: '' } as const;
  expect(weekdaysOf({ ...weekly, daysOfWeek: [], startDate: '2026-12-01' })).toEqual(['tuesday']);
  expect(weekdaysOf({ ...weekly, daysOfWeek: [], startDate: '2026-12-06' })).toEqual(['sunday']);
  expect(weekdaysOf({ ...weekly, daysOfWeek: ['friday'], startDate: '2026-12-01' })).toEqual(['friday']);
  expect(weekdaysOf({ ...weekly, daysOfWeek: [], startDate: '' })).toEqual([]);
});
