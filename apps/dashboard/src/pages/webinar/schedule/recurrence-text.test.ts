import { expect, test } from 'vitest';
import { recurrenceText } from './recurrence-text.ts';

const base = {
  frequency: 'weekly' as const,
  daysOfWeek: null,
  dayOfMonth: null,
  time: '18:00',
  startDate: '2026-12-01',
  endDate: null,
};

test.each([
  [{}, 'Every Tuesday at 18:00, from 1 December 2026'],
  [
    { daysOfWeek: ['monday' as const, 'thursday' as const], endDate: '2027-03-05' },
    'Every Monday and Thursday at 18:00, from 1 December 2026 until 5 March 2027',
  ],
  [{ frequency: 'biweekly' as const }, 'Every second week on Tuesday at 18:00, from 1 December 2026'],
  [{ frequency: 'daily' as const }, 'Every day at 18:00, from 1 December 2026'],
  [{ frequency: 'weekdays' as const }, 'Monday to Friday at 18:00, from 1 December 2026'],
  [{ frequency: 'monthly' as const }, 'Every month on day 1 at 18:00, from 1 December 2026'],
  [
    { frequency: 'monthly' as const, dayOfMonth: 31 },
    'Every month on day 31 or the last day at 18:00, from 1 December 2026',
  ],
  [{ frequency: 'once' as const }, 'Once at 18:00, on Tuesday, 1 December 2026'],
  [{ startDate: '', time: '' }, 'Every week at a time to be chosen, from a day to be chosen'],
])('%j reads: %s', (changes, text) => {
  expect(recurrenceText({ ...base, ...changes })).toBe(text);
});
