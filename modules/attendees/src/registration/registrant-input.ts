// Input for one registration, alone or as a row of a batch.
import type { Issue } from '@service/errors';
import { storable, text, timezone } from '@service/trpc/fields';
import type { Webinar } from '@service/webinars';
import { locale, moment } from '@service/webinars/inputs';
import { z } from 'zod';
import { customFieldProblems } from './custom-fields.ts';
import { flatUtmFields, UtmInput, utmProblems } from './utm.ts';

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Not an e-mail address.'))
  .describe('E-mail address. Stored in lower case.');

const optionalText = (max: number) => text(max).nullable().default(null);

const customFieldsMax = 30;
const metadataMax = 20;

export const registrantFields = {
  name: text(200),
  email,
  sessionTime: moment
    .optional()
    .describe('Start of the session to book, ISO 8601. Required unless the webinar is on demand.'),
  phone: optionalText(50),
  timezone: timezone.nullable().default(null),
  locale: locale.nullable().default(null).describe('Language, a BCP 47 tag such as `en` or `pt-BR`.'),
  customFields: textByKey(
    z.string().regex(/^[A-Za-z0-9_-]{1,50}$/, 'A name has 1 to 50 letters, digits, _ or -.'),
    storable(z.string().trim().max(1000)),
  )
    .refine((fields) => Object.keys(fields).length <= customFieldsMax, `At most ${customFieldsMax} fields.`)
    .meta({
      description: 'Answers to the registration form, by field key. A form without fields accepts any keys.',
      maxProperties: customFieldsMax,
    })
    .default({}),
  utm: UtmInput.optional().describe(
    'Campaign that led to the registration. Give either `utm` or the `utm_` fields.',
  ),
  ...flatUtmFields,
  referrer: optionalText(2048),
  metadata: textByKey(
    storable(z.string().min(1, 'A name must not be empty.').max(100, 'A name has at most 100 characters.')),
    storable(z.string().max(500)),
  )
    .refine((entries) => Object.keys(entries).length <= metadataMax, `At most ${metadataMax} entries.`)
    .meta({ description: 'Your own data. Returned unchanged.', maxProperties: metadataMax })
    .default({}),
};

export const RegistrantRow = z.strictObject(registrantFields);

export type RegistrantInput = z.output<typeof RegistrantRow>;

/** Problems that need the webinar or several fields to find. */
export function registrantProblems(webinar: Webinar, input: RegistrantInput): Issue[] {
  const isTimeMissing = input.sessionTime === undefined && !webinar.schedule.onDemand;
  return [
    ...(isTimeMissing ? [{ path: 'sessionTime', message: 'Required.' }] : []),
    ...utmProblems(input),
    ...customFieldProblems(webinar.registrationForm.fields, input.customFields),
  ];
}

function textByKey<Key extends z.ZodString>(key: Key, value: z.ZodString) {
  return z.record(key, value, {
    // Zod's message says only that the key is invalid. The reason is in the inner issue.
    error: (issue) => (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined),
  });
}

/** The requested start. Undefined means the current minute of an on-demand webinar. */
export const sessionTimeOf = ({ sessionTime }: RegistrantInput): Date | undefined =>
  sessionTime === undefined ? undefined : new Date(sessionTime);
