import { z } from 'zod';
import { calendarDate, clockTime } from '../field-inputs.ts';

const frequencies = ['daily', 'weekdays', 'weekly', 'biweekly', 'monthly', 'once'] as const;

/** In ISO order, Monday first. Names, since numbers for weekdays mean different days to different people. */
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
      '`weekdays` is Monday to Friday; `biweekly` counts weeks (Monday first) from that of startDate.',
    ),
  daysOfWeek: z
    .array(z.enum(weekdayNames))
    .min(1)
    .max(7)
    .nullable()
    .default(null)
    .describe('For weekly and biweekly; null: the weekday of startDate.'),
  dayOfMonth: z
    .number()
    .int()
    .min(1)
    .max(31)
    .nullable()
    .default(null)
    .describe('For monthly; null: the day of startDate. A shorter month has it on its last day.'),
  time: clockTime.describe('HH:mm on the clock of the webinar’s time zone.'),
  startDate: calendarDate.describe('The first day it may happen; the day itself for `once`.'),
  endDate: calendarDate.nullable().default(null).describe('The last day it may happen; null: no end.'),
};

const justInTimeFields = {
  intervalMinutes: z.literal([15, 30, 60]).describe('Sessions start on these minutes of the local clock.'),
  minLeadSeconds: z
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(60)
    .describe('How long before its start a session can be booked at the latest.'),
};

const hoursFields = {
  start: clockTime,
  end: clockTime.describe('Not included. Before `start`: the next morning.'),
};

const scheduleFields = {
  timezoneMode: z
    .enum(['fixed', 'viewer'])
    .default('fixed')
    .describe('Whose clock pages show times on. Sessions start at the same instant for everybody.'),
  onDemand: z.boolean().default(false).describe('Can be watched at any minute.'),
  blackoutDates: z
    .array(calendarDate)
    .max(400)
    .default([])
    .describe('Days of the webinar’s time zone without recurring and just-in-time sessions.'),
  slotsShown: z.number().int().min(1).max(10).default(3).describe('How many times are offered.'),
};

const Recurrence = z.strictObject(recurrenceFields).superRefine((recurrence, { addIssue }) => {
  const { frequency, daysOfWeek, dayOfMonth, startDate, endDate } = recurrence;
  const refuse = (path: string, message: string): void => addIssue({ code: 'custom', path: [path], message });
  if (daysOfWeek && frequency !== 'weekly' && frequency !== 'biweekly')
    refuse('daysOfWeek', 'Only for weekly and biweekly.');
  if (daysOfWeek && new Set(daysOfWeek).size < daysOfWeek.length)
    refuse('daysOfWeek', 'Names a day more than once.');
  if (dayOfMonth && frequency !== 'monthly') refuse('dayOfMonth', 'Only for monthly.');
  if (endDate && frequency === 'once') refuse('endDate', 'Not for once.');
  if (endDate && endDate < startDate) refuse('endDate', 'Must not be before startDate.');
});

const HoursOfOperation = z
  .strictObject(hoursFields)
  .refine(({ start, end }) => start !== end, { path: ['end'], message: 'Must differ from start.' })
  .describe('Local hours in which just-in-time sessions start.');

export const ScheduleInput = z.strictObject({
  recurrences: z.array(Recurrence).max(50).default([]),
  justInTime: z
    .strictObject(justInTimeFields)
    .nullable()
    .default(null)
    .describe('Sessions that come into being with their first registration.'),
  hoursOfOperation: HoursOfOperation.nullable().default(null),
  ...scheduleFields,
});

/** As stored, so without the checks of what is written. */
export const ScheduleOutput = z.object({
  recurrences: z.array(z.object(recurrenceFields)),
  justInTime: z.object(justInTimeFields).nullable(),
  hoursOfOperation: z.object(hoursFields).nullable(),
  ...scheduleFields,
});

/** When a webinar takes place. Times and dates are those of the webinar's time zone. */
export type Schedule = z.output<typeof ScheduleInput>;
export type Recurrence = Schedule['recurrences'][number];
