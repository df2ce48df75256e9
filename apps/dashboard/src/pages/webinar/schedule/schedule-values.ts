import { weekdayNames, type Recurrence } from '@service/webinars/inputs';
import type { Webinar } from '../../../trpc.ts';
import { numberOrEmpty, numberOrNull } from '../fields.ts';
import type { WebinarFieldsProps } from '../webinar-form.tsx';

export type ScheduleValues = ReturnType<typeof scheduleOf>;
export type ScheduleFieldsProps = WebinarFieldsProps<ScheduleValues>;
export type RecurrenceValues = ScheduleValues['schedule']['recurrences'][number];

type Weekday = NonNullable<Recurrence['daysOfWeek']>[number];

/** The fields of the tab as inputs show them. Every path is that of the API; `isOn` is a switch for an object or null. */
export function scheduleOf({ schedule, registrationForm }: Webinar) {
  const { justInTime, hoursOfOperation, timezoneMode, onDemand, blackoutDates, slotsShown } = schedule;
  return {
    schedule: {
      recurrences: schedule.recurrences.map(recurrenceToValues),
      justInTime: {
        isOn: justInTime !== null,
        intervalMinutes: justInTime?.intervalMinutes ?? 15,
        minLeadSeconds: numberOrEmpty(justInTime?.minLeadSeconds ?? 60),
      },
      hoursOfOperation: {
        isOn: hoursOfOperation !== null,
        start: hoursOfOperation?.start ?? '08:00',
        end: hoursOfOperation?.end ?? '22:00',
      },
      timezoneMode,
      onDemand,
      blackoutDates,
      // Saved like the dates, also before it is added to them. A draft of the former version has none.
      typedBlackout: noRange as DayRange | undefined,
      slotsShown: numberOrEmpty(slotsShown),
    },
    registrationForm: {
      ...registrationForm,
      capacityPerSession: numberOrEmpty(registrationForm.capacityPerSession),
    },
  };
}

const recurrenceToValues = (recurrence: Recurrence) => ({
  frequency: recurrence.frequency,
  daysOfWeek: (recurrence.daysOfWeek ?? []) as readonly Weekday[],
  dayOfMonth: numberOrEmpty(recurrence.dayOfMonth),
  time: recurrence.time,
  startDate: recurrence.startDate,
  endDate: recurrence.endDate ?? '',
});

/** The fields of a PATCH. */
export const scheduleToFields = ({ schedule, registrationForm }: ScheduleValues) => ({
  schedule: toSchedule(schedule),
  registrationForm: {
    ...registrationForm,
    capacityPerSession: numberOrNull(registrationForm.capacityPerSession),
  },
});

export function toSchedule(schedule: ScheduleValues['schedule']) {
  const { justInTime, hoursOfOperation, typedBlackout: _typed, ...rest } = schedule;
  return {
    ...rest,
    blackoutDates: allBlackoutDates(schedule),
    slotsShown: numberOrNull(schedule.slotsShown),
    recurrences: schedule.recurrences.map(toRecurrence),
    justInTime: justInTime.isOn
      ? {
          intervalMinutes: justInTime.intervalMinutes,
          minLeadSeconds: numberOrNull(justInTime.minLeadSeconds),
        }
      : null,
    hoursOfOperation: hoursOfOperation.isOn
      ? { start: hoursOfOperation.start, end: hoursOfOperation.end }
      : null,
  };
}

/** Drops the fields that the frequency does not have. The form keeps them for another choice. */
export function toRecurrence(values: RecurrenceValues) {
  const { frequency, daysOfWeek, dayOfMonth, time, startDate, endDate } = values;
  const hasDays = frequency === 'weekly' || frequency === 'biweekly';
  return {
    frequency,
    daysOfWeek: hasDays && daysOfWeek.length > 0 ? [...daysOfWeek] : null,
    dayOfMonth: frequency === 'monthly' ? numberOrNull(dayOfMonth) : null,
    time,
    startDate,
    endDate: frequency === 'once' || endDate === '' ? null : endDate,
  };
}

export interface DayRange {
  first: string;
  last: string;
}

export const noRange: DayRange = { first: '', last: '' };

/** The chosen days and those of the typed range. */
export function allBlackoutDates({ blackoutDates, typedBlackout }: ScheduleValues['schedule']): string[] {
  const { first, last } = typedBlackout ?? noRange;
  return daysInOrder([...blackoutDates, ...daysOf(first, last || first)]);
}

export const daysInOrder = (days: readonly string[]): string[] =>
  [...new Set(days)].toSorted((a, b) => (a < b ? -1 : 1));

/** The limit of the API. */
export const blackoutsMax = 400;

const dayMs = 86_400_000;

/** Every day of a range, both ends included. None without a first day. At most one more than the API takes. */
export function daysOf(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  const count = Math.min(Math.floor((to - from) / dayMs) + 1, blackoutsMax + 1);
  return Array.from({ length: Math.max(0, count) }, (_unused, index) => dayAt(from + index * dayMs));
}

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days in their order as ranges of days that follow each other. */
export function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of days) {
    const current = ranges.at(-1);
    if (current && dayAt(Date.parse(current.last) + dayMs) === day) current.last = day;
    else ranges.push({ first: day, last: day });
  }
  return ranges;
}

/** The weekdays on which sessions start: those that are chosen, or the weekday of the first day. */
export const weekdaysOf = ({ daysOfWeek, startDate }: RecurrenceValues): Weekday[] =>
  daysOfWeek.length > 0 || startDate === ''
    ? [...daysOfWeek]
    : [weekdayNames[(new Date(startDate).getUTCDay() + 6) % 7]!];

export const scheduleLabels: Record<string, string> = {
  'schedule.recurrences': 'Dates',
  'schedule.justInTime.isOn': 'Just-in-time sessions',
  'schedule.justInTime.intervalMinutes': 'A session starts every',
  'schedule.justInTime.minLeadSeconds': 'Booking closes before the start',
  'schedule.hoursOfOperation.isOn': 'Only at certain hours',
  'schedule.hoursOfOperation.start': 'From',
  'schedule.hoursOfOperation.end': 'Until',
  'schedule.timezoneMode': 'Times on the pages',
  'schedule.onDemand': 'On demand',
  'schedule.blackoutDates': 'Days without sessions',
  'schedule.typedBlackout.first': 'First day without sessions',
  'schedule.typedBlackout.last': 'Last day without sessions',
  'schedule.slotsShown': 'Times offered at once',
  'registrationForm.capacityPerSession': 'Places per session',
};
