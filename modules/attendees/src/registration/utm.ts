import type { Issue } from '@service/errors';
import { text } from '@service/trpc/fields';
import { z } from 'zod';

const parameter = text(200).nullable().default(null);

export const UtmInput = z
  .strictObject({
    source: parameter,
    medium: parameter,
    campaign: parameter,
    term: parameter,
    content: parameter,
  })
  .meta({ id: 'UtmInput' });

type Utm = z.output<typeof UtmInput>;

const flat = text(200).nullable().optional();

/** UTM fields under the names of URL parameters, for forms that pass on their query string. */
export const flatUtmFields = {
  utm_source: flat,
  utm_medium: flat,
  utm_campaign: flat,
  utm_term: flat,
  utm_content: flat,
};

type FlatUtm = z.output<z.ZodObject<typeof flatUtmFields>>;

/** Reads either of the two input forms. */
export const readUtm = (input: FlatUtm & { utm?: Utm | undefined }): Utm =>
  input.utm ?? {
    source: input.utm_source ?? null,
    medium: input.utm_medium ?? null,
    campaign: input.utm_campaign ?? null,
    term: input.utm_term ?? null,
    content: input.utm_content ?? null,
  };

/** Refuses input with both forms, because they could disagree. */
export function utmProblems(input: FlatUtm & { utm?: Utm | undefined }): Issue[] {
  if (!input.utm) return [];
  return Object.keys(flatUtmFields)
    .filter((name) => input[name as keyof FlatUtm] !== undefined)
    .map((path) => ({ path, message: 'Give either utm or the utm_ fields, not both.' }));
}
