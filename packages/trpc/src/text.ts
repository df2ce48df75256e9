import { z } from 'zod';

/**
 * A text for people: trimmed, not blank, at most `max` characters. A NUL character is refused, since
 * Postgres has no text that could hold it (https://www.postgresql.org/docs/current/datatype-character.html).
 */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'Must not be blank.')
    .max(max, `At most ${max} characters.`)
    .refine((value) => !value.includes('\0'), 'Must not contain a NUL character.');

/** An instant as answers carry it: ISO 8601 in UTC with milliseconds. */
export const instant = () => z.iso.datetime().describe('ISO 8601, UTC.');

/** An id in an input or an answer. */
export const id = (what: string) => z.uuid().describe(`The id of the ${what}.`);
