// Fields of results. A result is the answer of a procedure with fewer fields, so their values need no further checks.
import { z } from 'zod';

export const text = z.string();
export const whole = z.number();
export const moment = z.string();
export const nullable = (field: z.ZodType) => field.nullable();

/** The schedule of a webinar. Its own schema is longer than all other arguments together. */
export const scheduleArgument = {
  schedule: {
    type: 'object',
    description:
      'For one session: {"recurrences":[{"frequency":"once","startDate":"2030-01-15","time":"18:00"}]}, in the time zone of the ' +
      'webinar. `frequency`: once, daily, weekdays, weekly, biweekly or monthly; `daysOfWeek` for weekly, `dayOfMonth` for monthly, `endDate`.',
  },
};
