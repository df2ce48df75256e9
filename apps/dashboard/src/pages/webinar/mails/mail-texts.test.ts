import { expect, test } from 'vitest';
import { timeOfReminder, toMinutes, toTimeBefore } from './mail-texts.ts';

test.each([
  [0, { amount: 0, unit: 'minutes' }, 'At the start'],
  [1, { amount: 1, unit: 'minutes' }, '1 minute before the start'],
  [60, { amount: 1, unit: 'hours' }, '1 hour before the start'],
  [90, { amount: 90, unit: 'minutes' }, '90 minutes before the start'],
  [1440, { amount: 1, unit: 'days' }, '1 day before the start'],
  [2160, { amount: 36, unit: 'hours' }, '36 hours before the start'],
] as const)(
  'a reminder %i minutes before the start is shown in its largest whole unit',
  (minutes, time, text) => {
    expect(toTimeBefore(minutes)).toEqual(time);
    expect(toMinutes(time)).toBe(minutes);
    expect(timeOfReminder(minutes)).toBe(text);
  },
);
