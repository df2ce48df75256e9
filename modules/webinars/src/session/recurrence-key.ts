import type { Recurrence } from '../schedule/schedule.ts';

/** Identifies the recurrence that a session comes from. */
export const recurrenceKey = ({ frequency, startDate, time }: Recurrence): string =>
  `${frequency}-${startDate}T${time}`;
