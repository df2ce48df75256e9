import { z } from 'zod';
import { calendarDate, clockTime } from '../field-inputs.ts';

const frequencies = ['daily', 'weekdays', 'weekly', 'biweekly', 'monthly', 'once'] as const;

/** In ISO order, Monday first. Names, because numbers of weekdays differ between countries. */
export const weekdayNames = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

const recurrenceFields = {
  frequency: z
    .enum(frequencies)
    .describe(
      '`weekdays`: Monday to Friday. `biweekly`: every second week, counted from the week (Monday first) of `startDate`.',
    ),
  daysOfWeek: z
    .array(z.enum(weekdayNames))
    .min(1)
    .max(7)
    .nullable()
    .default(null)
    .describe('Only for weekly and biweekly. Null: the weekday of `startDate`.'),
  dayOfMonth: z
    .number()
    .int()
    .min(1)
    .max(31)
    .nullable()
    .default(null)
    .describe('Only for monthly. Null: the day of `startDate`. A shorter month uses its last day.'),
  time: clockTime.describe('Local time in the time zone of the webinar, HH:mm.'),
  startDate: calendarDate.describe('First day of the recurrence. For `once`: the day.'),
  endDate: calendarDate.nullable().default(null).describe('Last day of the recurrence. Null: no end.'),
};

const justInTimeFields = {
  intervalMinutes: z
    .literal([15, 30, 60])
    .describe('Sessions start at local times that are multiples of this.'),
  minLeadSeconds: z
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(60)
    .describe('Minimum time between booking and start, in seconds.'),
};

const hoursFields = {
  start: clockTime,
  end: clockTime.describe('Exclusive. Earlier than `start`: on the next day.'),
};

const scheduleFields = {
  timezoneMode: z
    .enum(['fixed', 'viewer'])
    .default('fixed')
    .describe(
      'Time zone in which pages show times: of the webinar or of the viewer. Sessions start at the same instant for all.',
    ),
  onDemand: z.boolean().default(false).describe('The webinar can be watched at any time.'),
  blackoutDates: z
    .array(calendarDate)
    .max(400)
    .default([])
    .describe('Local dates without recurring and just-in-time sessions.'),
  slotsShown: z.number().int().min(1).max(10).default(3).describe('Number of times that are offered.'),
};

const Recurrence = z.strictObject(recurrenceFields).superRefine((recurrence, { addIssue }) => {
  const { frequency, daysOfWeek, dayOfMonth, startDate, endDate } = recurrence;
  const refuse = (path: string, message: string): void => addIssue({ code: 'custom', path: [path], message });
  if (daysOfWeek && frequency !== 'weekly' && frequency !== 'biweekly')
    refuse('daysOfWeek', 'Only for weekly and biweekly.');
  if (daysOfWeek && new Set(daysOfWeek).size < daysOfWeek.length)
    refuse('daysOfWeek', 'Contains a day more than once.');
  if (dayOfMonth && frequency !== 'monthly') refuse('dayOfMonth', 'Only for monthly.');
  if (endDate && frequency === 'once') refuse('endDate', 'Not for once.');
  if (endDate && endDate < startDate) refuse('endDate', 'Must not be before startDate.');
});

const HoursOfOperation = z
  .strictObject(hoursFields)
  .refine(({ start, end }) => start !== end, { path: ['end'], message: 'Must differ from start.' })
  .describe('Local times between which just-in-time sessions start.');

export const ScheduleInput = z.strictObject({
  recurrences: z.array(Recurrence).max(50).default([]),
  justInTime: z
    .strictObject(justInTimeFields)
    .nullable()
    .default(null)
    .describe('Sessions that are created by their first registration.'),
  hoursOfOperation: HoursOfOperation.nullable().default(null),
  ...scheduleFields,
});

/** As stored, without the checks of the input. */
export const ScheduleOutput = z.object({
  recurrences: z.array(z.object(recurrenceFields)),
  justInTime: z.object(justInTimeFields).nullable(),
  hoursOfOperation: z.object(hoursFields).nullable(),
  ...scheduleFields,
});

/** The schedule of a webinar, in local times and dates of its time zone. */
export type Schedule = z.output<typeof ScheduleInput>;
export type Recurrence = Schedule['recurrences'][number];
