import { z } from 'zod';

/** A text for people: trimmed, not blank, at most `max` characters, storable. */
export const text = (max: number) =>
  storable(z.string().trim().min(1, 'Must not be blank.').max(max, `At most ${max} characters.`));

/**
 * Refuses half a surrogate pair and control characters (Unicode category Cc) other than tab and line breaks. Postgres stores
 * neither the former nor NUL, as text or in jsonb (https://www.postgresql.org/docs/current/datatype-json.html); the other
 * control characters change what a terminal, a log or a header shows.
 */
export const storable = (schema: z.ZodString) =>
  wellFormed(schema).refine(
    (value) => !/[^\P{Cc}\t\n\r]/u.test(value),
    'Must not contain control characters other than tab and line breaks.',
  );

/**
 * A URL as callers write it, stored as it was given: `new URL` would encode a control character or drop a line break, and
 * so accept what cannot be stored. It is up to the caller to check that it is a URL.
 */
export const urlText = (max = 2048) =>
  wellFormed(z.string().trim().max(max, `At most ${max} characters.`)).refine(
    (value) => !/\p{Cc}/u.test(value),
    'Must not contain control characters.',
  );

const wellFormed = (schema: z.ZodString) =>
  schema.refine((value) => value.isWellFormed(), 'Must not contain half a surrogate pair.');

/** An instant as answers carry it: ISO 8601 in UTC with milliseconds. */
export const instant = () => z.iso.datetime().describe('ISO 8601, UTC.');

/** An id in an input or an answer. */
export const id = (what: string) => z.uuid().describe(`The id of the ${what}.`);
