// Kinds of fields that inputs of several folders share.
import { moment as anyMoment } from '@service/trpc/fields';
import { z } from 'zod';
import type { Issue } from '@service/errors';

/** A language tag (BCP 47, https://www.rfc-editor.org/info/bcp47). */
export const locale = z.string().max(35).refine(isLocale, 'Not a BCP 47 language tag such as en or pt-BR.');

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

/** A name as part of a URL. */
export const slug = slugOf(80);

/** Words, or the whole slug that was made of them: it has a hyphen and an end of six characters more. */
export const wholeSlug = slugOf(87);

function slugOf(max: number) {
  return z
    .string()
    .max(max)
    .regex(
      /^[a-z0-9]+(-[a-z0-9]+)*$/,
      'Must have only lower-case letters and digits, with single hyphens between them.',
    );
}

// Not int(): its refusal ends the search for further problems of the same body. Not multipleOf(1): it accepts numbers that
// are off by a rounding error (1e-20, 86400.00000000001).
export const wholeNumber = z
  .number()
  .refine(Number.isSafeInteger, 'Must be a whole number.')
  .meta({ type: 'integer' });

export const intBetween = (min: number, max: number) => z.number().int().min(min).max(max);

export const durationSeconds = intBetween(60, 86_400).describe('Duration of a session in seconds.');

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

type Defaulted<Fields, Defaults> = {
  [Name in keyof Fields]: Name extends keyof Defaults
    ? Fields[Name] extends z.ZodType
      ? z.ZodDefault<Fields[Name]>
      : never
    : Fields[Name];
};

/** Fields of a create call: a field with a default is optional. */
export function withDefaults<Fields extends z.ZodRawShape, Defaults extends object>(
  fields: Fields,
  defaults: Defaults,
): Defaulted<Fields, Defaults> {
  return mapFields(fields, (schema, name) =>
    name in defaults ? schema.default((defaults as Record<string, unknown>)[name]) : schema,
  ) as Defaulted<Fields, Defaults>;
}

export const mapFields = (
  fields: z.ZodRawShape,
  change: (schema: z.ZodType, name: string) => z.ZodType,
): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, change(schema as z.ZodType, name)]),
  );

/** Adds the problems between fields. Fields that already have a problem are left out of the check. */
export function addWholeProblems(
  input: object,
  ctx: z.core.$RefinementCtx,
  judge: (sound: object) => readonly Issue[],
): void {
  const named = new Set(ctx.issues.map((issue) => issue.path?.[0]));
  const sound = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)));
  for (const { path, message } of judge(sound)) {
    const keys = path.split('.');
    if (!named.has(keys[0])) ctx.addIssue({ code: 'custom', path: keys, message });
  }
}

/** By default zod checks the whole object only if all fields are valid. This checks every object, so that all problems are reported. */
export const besideFieldProblems = {
  when: ({ value }: z.core.ParsePayload) => typeof value === 'object' && value !== null,
};

/** True if the input has more than the two ids of the path. */
export function namesChanges(input: object): boolean {
  return Object.keys(input).length > 2;
}

/** Refuses an update without changes. */
export const needsChanges = {
  path: ['body'],
  message: 'Give at least one field to change.',
  when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
};
