import { moment as anyMoment } from '@service/trpc';
import { z } from 'zod';

/** The name of a zone, never a bare offset. */
export const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'Not an IANA time zone such as Europe/Berlin.')
  .describe('An IANA time zone.');

/** An instant as callers may write it: any UTC offset. Years that no calendar of ours reaches are refused. */
export const moment = anyMoment.refine((text) => /^20\d\d-/.test(text), 'Must lie in this century.');

/** A day without a zone, `2026-12-01`. */
export const calendarDate = z.iso
  .date({ abort: true, error: 'A date such as 2026-12-01.' })
  .refine((date) => date.startsWith('20'), 'Must lie in this century.');

/** A time of day to the minute, `17:00`. */
export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time of day such as 17:00.');

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
