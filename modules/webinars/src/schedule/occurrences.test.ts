import { expect, test } from 'vitest';
import type { z } from 'zod';
import { occurrenceAt, occurrencesAfter } from './occurrences.ts';
import { ScheduleInput } from './schedule.ts';

type Input = Pick<z.input<typeof ScheduleInput>, 'recurrences' | 'blackoutDates'>;
type RecurrenceInput = NonNullable<Input['recurrences']>[number];

/** The next starts as UTC minutes. */
function next(count: number, timezone: string, after: string, input: Input): string[] {
  const schedule = ScheduleInput.parse(input);
  return occurrencesAfter({ schedule, timezone }, Date.parse(`${after}Z`))
    .take(count)
    .map(({ startsAtMs }) => new Date(startsAtMs).toISOString().slice(0, 16))
    .toArray();
}

const daily: RecurrenceInput = { frequency: 'daily', time: '09:00', startDate: '2026-01-01' };

test.each([
  ['Europe/Berlin', '2026-03-27T12:00', ['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00']],
  ['Europe/Berlin', '2026-10-23T12:00', ['2026-10-24T07:00', '2026-10-25T08:00', '2026-10-26T08:00']],
  ['America/New_York', '2026-03-06T15:00', ['2026-03-07T14:00', '2026-03-08T13:00', '2026-03-09T13:00']],
  ['America/New_York', '2026-10-30T15:00', ['2026-10-31T13:00', '2026-11-01T14:00', '2026-11-02T14:00']],
  ['Asia/Kathmandu', '2026-06-01T00:00', ['2026-06-01T03:15', '2026-06-02T03:15', '2026-06-03T03:15']],
  ['Pacific/Chatham', '2026-04-02T21:00', ['2026-04-03T19:15', '2026-04-04T20:15', '2026-04-05T20:15']],
  ['Australia/Lord_Howe', '2026-04-03T00:00', ['2026-04-03T22:00', '2026-04-04T22:30', '2026-04-05T22:30']],
])('a daily 09:00 in %s stays at 09:00 across a change of the clock (%s)', (timezone, after, expected) => {
  expect(next(3, timezone, after, { recurrences: [daily] })).toEqual(expected);
});

test('a session in a skipped hour moves forward, and one in an hour that happens twice takes place the first time', () => {
  const at = (time: string) => ({ recurrences: [{ ...daily, time }] });
  expect(next(2, 'Europe/Berlin', '2026-03-28T12:00', at('02:30'))).toEqual([
    '2026-03-29T01:30',
    '2026-03-30T00:30',
  ]);
  expect(next(2, 'Europe/Berlin', '2026-10-24T12:00', at('02:30'))).toEqual([
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ]);
  expect(next(1, 'Australia/Lord_Howe', '2026-10-03T12:00', at('02:15'))).toEqual(['2026-10-03T15:45']);
});

test('biweekly counts weeks from the week of its start, across the end of a year', () => {
  const recurrence: RecurrenceInput = {
    frequency: 'biweekly',
    daysOfWeek: ['sunday', 'monday'],
    time: '10:00',
    startDate: '2026-12-16',
  };
  // The week of 16 December begins on Monday the 14th, so its Sunday is the 20th.
  expect(next(5, 'UTC', '2026-12-01T00:00', { recurrences: [recurrence] })).toEqual([
    '2026-12-20T10:00',
    '2026-12-28T10:00',
    '2027-01-03T10:00',
    '2027-01-11T10:00',
    '2027-01-17T10:00',
  ]);
});

test('monthly on the 31st is on the last day of shorter months', () => {
  const recurrence = {
    frequency: 'monthly',
    dayOfMonth: 31,
    time: '10:00',
    startDate: '2028-01-01',
  } as const;
  expect(next(4, 'UTC', '2028-01-01T00:00', { recurrences: [recurrence] })).toEqual([
    '2028-01-31T10:00',
    '2028-02-29T10:00',
    '2028-03-31T10:00',
    '2028-04-30T10:00',
  ]);
});

test('without a given day, a weekly or monthly recurrence uses the day of its start', () => {
  const startDate = '2026-12-03';
  const weekly = { frequency: 'weekly', time: '10:00', startDate } as const;
  const monthly = { frequency: 'monthly', time: '10:00', startDate } as const;
  expect(next(2, 'UTC', '2026-12-01T00:00', { recurrences: [weekly] })).toEqual([
    '2026-12-03T10:00',
    '2026-12-10T10:00',
  ]);
  expect(next(2, 'UTC', '2026-12-01T00:00', { recurrences: [monthly] })).toEqual([
    '2026-12-03T10:00',
    '2027-01-03T10:00',
  ]);
});

test('weekdays skip the weekend, blackout dates skip the local day, and the end date is included', () => {
  const recurrence = {
    frequency: 'weekdays',
    time: '08:00',
    startDate: '2026-12-03',
    endDate: '2026-12-08',
  } as const;
  // 08:00 in Auckland is the evening before in UTC.
  expect(
    next(9, 'Pacific/Auckland', '2026-11-01T00:00', {
      recurrences: [recurrence],
      blackoutDates: ['2026-12-07'],
    }),
  ).toEqual(['2026-12-02T19:00', '2026-12-03T19:00', '2026-12-07T19:00']);
});

test('recurrences are merged in order, and two at the same instant are one occurrence', () => {
  const noon = { ...daily, time: '12:00' };
  const friday: RecurrenceInput = {
    frequency: 'weekly',
    daysOfWeek: ['friday'],
    time: '12:00',
    startDate: '2026-01-01',
  };
  expect(next(4, 'UTC', '2026-12-03T13:00', { recurrences: [noon, friday, daily] })).toEqual([
    '2026-12-04T09:00',
    '2026-12-04T12:00',
    '2026-12-05T09:00',
    '2026-12-05T12:00',
  ]);
});

test('a started occurrence is left out, and one in the far future is found', () => {
  const once = { frequency: 'once', time: '09:00', startDate: '2090-01-01' } as const;
  expect(next(1, 'UTC', '2026-12-03T09:00', { recurrences: [daily] })).toEqual(['2026-12-04T09:00']);
  expect(next(2, 'UTC', '2026-12-03T09:00', { recurrences: [once] })).toEqual(['2090-01-01T09:00']);
  expect(next(1, 'UTC', '2090-01-01T09:00', { recurrences: [once] })).toEqual([]);
  expect(next(1, 'UTC', '2026-01-01T00:00', { recurrences: [] })).toEqual([]);
});

test('the search ends even if every day is a blackout date', () => {
  const blackoutDates = Array.from({ length: 400 }, (_, day) =>
    new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
  );
  const recurrences = [{ ...daily, endDate: '2026-12-31' }];
  expect(next(1, 'UTC', '2026-01-01T00:00', { recurrences, blackoutDates })).toEqual([]);
});

test('occurrenceAt follows the same rules', () => {
  const recurrences = [{ ...daily, time: '02:30' }];
  const schedule = ScheduleInput.parse({ recurrences, blackoutDates: ['2026-03-31'] });
  const isOccurrence = (at: string): boolean =>
    occurrenceAt({ schedule, timezone: 'Europe/Berlin' }, Date.parse(at)) !== undefined;
  expect(isOccurrence('2026-03-29T01:30Z')).toBe(true);
  expect(isOccurrence('2026-03-30T00:30Z')).toBe(true);
  expect(isOccurrence('2026-03-30T01:30Z')).toBe(false);
  expect(isOccurrence('2026-03-31T00:30Z')).toBe(false);
  expect(isOccurrence('2025-12-31T01:30Z')).toBe(false);
});

test.each([
  [{ frequency: 'daily', daysOfWeek: ['monday'], time: '09:00', startDate: '2026-01-01' }, 'daysOfWeek'],
  [
    { frequency: 'weekly', daysOfWeek: ['monday', 'monday'], time: '09:00', startDate: '2026-01-01' },
    'daysOfWeek',
  ],
  [{ frequency: 'weekly', dayOfMonth: 3, time: '09:00', startDate: '2026-01-01' }, 'dayOfMonth'],
  [{ frequency: 'once', time: '09:00', startDate: '2026-01-02', endDate: '2026-01-03' }, 'endDate'],
  [{ frequency: 'daily', time: '09:00', startDate: '2026-01-02', endDate: '2026-01-01' }, 'endDate'],
  [{ frequency: 'daily', time: '24:00', startDate: '2026-01-02' }, 'time'],
  [{ frequency: 'daily', time: '9:00', startDate: '2026-01-02' }, 'time'],
  [{ frequency: 'daily', time: '09:00', startDate: '2026-02-30' }, 'startDate'],
])('a recurrence that contradicts itself is refused: %j', (recurrence, field) => {
  const { error } = ScheduleInput.safeParse({ recurrences: [recurrence] });
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([`recurrences.0.${field}`]);
});
