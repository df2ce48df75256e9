import { moment as anyMoment } from '@service/trpc';
import { z } from 'zod';

/** A zone name. A bare UTC offset is refused. */
export const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'Not an IANA time zone such as Europe/Berlin.')
  .describe('IANA time zone such as `Europe/Berlin`.');

/** An instant with any UTC offset, from 2000 to 2099. */
export const moment = anyMoment.refine(
  (text) => /^20\d\d-/.test(text),
  'Must be between the years 2000 and 2099.',
);

/** A day without a zone, `2026-12-01`. */
export const calendarDate = z.iso
  .date({ abort: true, error: 'Must be a date such as 2026-12-01.' })
  .refine((date) => date.startsWith('20'), 'Must be between the years 2000 and 2099.');

/** A time of day to the minute, `17:00`. */
export const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as 17:00.');

function isTimezone(name: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' &&
      !/^[+-]/.test(name)
    );
  } catch {
    return false;
  }
}
