import { z } from 'zod';

const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A time in an input, with any UTC offset. The years are bounded because Postgres reads the year 0 as an error, and an id
 * cannot name a time before 1970.
 */
export const moment = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: 'An ISO 8601 time with its offset, such as 2026-12-01T09:00:00Z.',
  })
  .refine(isStorable, 'Must lie between the years 1970 and 9999.');

function isStorable(text: string): boolean {
  const time = Date.parse(text);
  return time >= 0 && time <= latestMs;
}
