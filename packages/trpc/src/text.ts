import { z } from 'zod';

/** A text for people: trimmed, not blank, at most `max` characters, storable. */
export const text = (max: number) =>
  storable(z.string().trim().min(1, 'Must not be blank.').max(max, `At most ${max} characters.`));

/**
 * Refuses what Postgres holds neither as text nor in jsonb: a NUL character and half a surrogate pair
 * (https://www.postgresql.org/docs/current/datatype-json.html).
 */
export const storable = (schema: z.ZodString) =>
  schema
    .refine((value) => !value.includes('\0'), 'Must not contain a NUL character.')
    .refine((value) => value.isWellFormed(), 'Must not contain half a surrogate pair.');

/** An instant as answers carry it: ISO 8601 in UTC with milliseconds. */
export const instant = () => z.iso.datetime().describe('ISO 8601, UTC.');

/** An id in an input or an answer. */
export const id = (what: string) => z.uuid().describe(`The id of the ${what}.`);
