import type { Recurrence } from '../schedule/schedule.ts';

/** What a session remembers of the recurrence it comes from. */
export const recurrenceKey = ({ frequency, startDate, time }: Recurrence): string =>
  `${frequency}-${startDate}T${time}`;
