import { dateFormat } from '../../../intl-formats.ts';
import type { toRecurrence } from './schedule-values.ts';

type Recurrence = ReturnType<typeof toRecurrence>;

export const frequencies: readonly { value: Recurrence['frequency']; label: string }[] = [
  { value: 'once', label: 'Once' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekdays', label: 'Monday to Friday' },
  { value: 'weekly', label: 'Every week' },
  { value: 'biweekly', label: 'Every second week' },
  { value: 'monthly', label: 'Every month' },
];

/** "Every Tuesday and Thursday at 18:00, from 1 December 2026" */
export function recurrenceText(recurrence: Recurrence): string {
  const { frequency, time, startDate, endDate } = recurrence;
  const at = time === '' ? 'at a time to be chosen' : `at ${time}`;
  if (frequency === 'once') return `Once ${at}, on ${formatDay(startDate, { weekday: 'long' })}`;
  const until = endDate ? ` until ${formatDay(endDate)}` : '';
  return `${rhythmText(recurrence)} ${at}, from ${formatDay(startDate)}${until}`;
}

function rhythmText({ frequency, daysOfWeek, dayOfMonth, startDate }: Recurrence): string {
  if (frequency === 'daily') return 'Every day';
  if (frequency === 'weekdays') return 'Monday to Friday';
  if (frequency === 'monthly') return `Every month on ${dayText(dayOfMonth ?? Number(startDate.slice(8)))}`;
  const days = listOf(daysOfWeek?.map(capitalize) ?? [weekdayOf(startDate)]);
  return frequency === 'biweekly' ? `Every second week on ${days}` : `Every ${days}`;
}

const dayText = (day: number): string => (day > 28 ? `day ${day} or the last day` : `day ${day}`);

const listOf = (words: string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A calendar day has no zone, so it is formatted in UTC. */
export function formatDay(date: string, options: Intl.DateTimeFormatOptions = {}): string {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return 'a day to be chosen';
  return dateFormat({
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
    ...options,
  }).format(time);
}

const weekdayOf = (date: string): string =>
  Number.isNaN(Date.parse(date))
    ? 'week'
    : dateFormat({ weekday: 'long', timeZone: 'UTC' }).format(Date.parse(date));
