import { z } from 'zod';
import { calendarDate, clockTime, intBetween } from '../field-inputs.ts';

const frequencies = ['daily', 'weekdays', 'weekly', 'biweekly', 'monthly', 'once'] as const;

/** In ISO order, Monday first. Names, because weekday numbers differ between conventions. */
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
  frequency: z.enum(frequencies).meta({
    id: 'RecurrenceFrequency',
    description:
      '`weekdays`: Monday to Friday. `biweekly`: every second week, from the week of `startDate`. Weeks start on Monday.',
  }),
  daysOfWeek: z
    .array(z.enum(weekdayNames).meta({ id: 'Weekday' }))
    .min(1)
    .max(7)
    .nullable()
    .default(null)
    .describe('Only for `weekly` and `biweekly`. Null means the weekday of `startDate`.'),
  dayOfMonth: intBetween(1, 31)
    .nullable()
    .default(null)
    .describe('Only for `monthly`. Null means the day of `startDate`. Shorter months use their last day.'),
  time: clockTime.describe('Start in the time zone of the webinar, HH:mm.'),
  startDate: calendarDate.describe('First possible day. For `once`, the day of the session.'),
  endDate: calendarDate.nullable().default(null).describe('Last possible day. Null means no end.'),
};

const justInTimeFields = {
  intervalMinutes: z.literal([15, 30, 60]).meta({
    id: 'JustInTimeInterval',
    type: 'integer',
    description:
      'Minutes between starts, aligned to the local clock: with 15, sessions start at :00, :15, :30 and :45.',
  }),
  minLeadSeconds: intBetween(0, 3600)
    .default(60)
    .describe('Seconds before the start at which booking closes.'),
};

const hoursFields = {
  start: clockTime.describe('Start of the hours in the time zone of the webinar, HH:mm.'),
  end: clockTime.describe('End of the hours, not included. An end before `start` is on the next day.'),
};

const scheduleFields = {
  timezoneMode: z
    .enum(['fixed', 'viewer'])
    .meta({
      id: 'TimezoneMode',
      description:
        'Time zone in which pages show times: `fixed` for that of the webinar, `viewer` for that of the viewer. It does not change when sessions start.',
    })
    .default('fixed'),
  onDemand: z.boolean().default(false).describe('True if attendees can watch the webinar at any time.'),
  blackoutDates: z
    .array(calendarDate)
    .max(400)
    .default([])
    .describe('Days without recurring and just-in-time sessions, in the time zone of the webinar.'),
  slotsShown: intBetween(1, 10).default(3).describe('Number of session times to offer.'),
};

const scheduleText = 'The times of sessions.';
const recurrencesText = 'Sessions at fixed times. Empty means none.';
const justInTimeText =
  'Sessions at regular intervals, created with their first registration. Null means none.';
const hoursText = 'Local hours in which just-in-time sessions can start. Null means all day.';

const RecurrenceInput = z
  .strictObject(recurrenceFields)
  .superRefine((recurrence, { addIssue }) => {
    const { frequency, daysOfWeek, dayOfMonth, startDate, endDate } = recurrence;
    const refuse = (path: string, message: string): void =>
      addIssue({ code: 'custom', path: [path], message });
    if (daysOfWeek && frequency !== 'weekly' && frequency !== 'biweekly')
      refuse('daysOfWeek', 'Only for weekly and biweekly.');
    if (daysOfWeek && new Set(daysOfWeek).size < daysOfWeek.length)
      refuse('daysOfWeek', 'Must not contain a day twice.');
    if (dayOfMonth && frequency !== 'monthly') refuse('dayOfMonth', 'Only for monthly.');
    if (endDate && frequency === 'once') refuse('endDate', 'Not allowed for once.');
    if (endDate && endDate < startDate) refuse('endDate', 'Must not be before startDate.');
  })
  .meta({ id: 'RecurrenceInput' });

const HoursOfOperationInput = z
  .strictObject(hoursFields)
  .refine(({ start, end }) => start !== end, { path: ['end'], message: 'Must differ from start.' })
  .meta({ id: 'HoursOfOperationInput' });

export const ScheduleInput = z
  .strictObject({
    recurrences: z.array(RecurrenceInput).max(50).default([]).describe(recurrencesText),
    justInTime: z
      .strictObject(justInTimeFields)
      .meta({ id: 'JustInTimeInput' })
      .nullable()
      .default(null)
      .describe(justInTimeText),
    hoursOfOperation: HoursOfOperationInput.nullable().default(null).describe(hoursText),
    ...scheduleFields,
  })
  .meta({ id: 'ScheduleInput', description: scheduleText });

/** Stored schedules were checked when they were written. */
export const ScheduleOutput = z
  .object({
    recurrences: z.array(z.object(recurrenceFields).meta({ id: 'Recurrence' })).describe(recurrencesText),
    justInTime: z.object(justInTimeFields).meta({ id: 'JustInTime' }).nullable().describe(justInTimeText),
    hoursOfOperation: z.object(hoursFields).meta({ id: 'HoursOfOperation' }).nullable().describe(hoursText),
    ...scheduleFields,
  })
  .meta({ id: 'Schedule', description: scheduleText });

/** Times and dates are in the webinar's time zone. */
export type Schedule = z.output<typeof ScheduleInput>;
export type Recurrence = Schedule['recurrences'][number];

/** A recurrence with one session, to the minute, for a webinar in UTC. */
export const onceAt = (at: Date): { frequency: 'once'; startDate: string; time: string } => ({
  frequency: 'once',
  startDate: at.toISOString().slice(0, 10),
  time: at.toISOString().slice(11, 16),
});
