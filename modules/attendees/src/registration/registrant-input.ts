// Input for one registration, alone or as a row of a batch.
import type { Issue } from '@service/errors';
import { storable, text, timezone } from '@service/trpc/fields';
import { z } from 'zod';
import type { Webinar } from '@service/webinars';
import type { Consent } from '../entities/registration.ts';
import { locale, moment } from '@service/webinars/inputs';

const parameter = (name: string) =>
  text(200).nullable().default(null).describe(`The URL parameter \`utm_${name}\`.`);

const UtmInput = z
  .strictObject({
    source: parameter('source'),
    medium: parameter('medium'),
    campaign: parameter('campaign'),
    term: parameter('term'),
    content: parameter('content'),
  })
  .meta({ id: 'UtmInput' });

type Utm = z.output<typeof UtmInput>;

const flat = (name: string) =>
  text(200).nullable().optional().describe(`The same as \`${name}\` of \`utm\`.`);

/** UTM fields under the names of URL parameters, for forms that pass on their query string. */
const flatUtmFields = {
  utm_source: flat('source'),
  utm_medium: flat('medium'),
  utm_campaign: flat('campaign'),
  utm_term: flat('term'),
  utm_content: flat('content'),
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
function utmProblems(input: FlatUtm & { utm?: Utm | undefined }): Issue[] {
  if (!input.utm) return [];
  return Object.keys(flatUtmFields)
    .filter((name) => input[name as keyof FlatUtm] !== undefined)
    .map((path) => ({ path, message: 'Give either utm or the utm_ fields, not both.' }));
}

const ConsentInput = z
  .strictObject({
    given: z.boolean().describe('True if the person agreed.'),
    text: text(2000)
      .optional()
      .describe('The text that the person saw. Defaults to `consentText` of the registration form.'),
    at: moment.optional().describe('Time of the answer, ISO 8601. Defaults to now.'),
  })
  .meta({ id: 'ConsentInput' });

/** The consent of a registration as it is stored. */
export const consentOf = (
  { registrationForm }: Pick<Webinar, 'registrationForm'>,
  { consent }: Pick<RegistrantInput, 'consent'>,
  now: Date,
): Consent | null =>
  consent && {
    given: consent.given,
    text: consent.text ?? registrationForm.consentText,
    at: new Date(consent.at ?? now).toISOString(),
  };

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Not an e-mail address.'))
  .meta({ description: 'E-mail address. Stored in lower case.', format: 'email' });

const optionalText = (max: number) => text(max).nullable().default(null);

const customFieldsMax = 30;
const metadataMax = 20;

export const registrantFields = {
  name: text(200).describe('The name of the attendee.'),
  email,
  sessionTime: moment
    .optional()
    .describe(
      'Start of the session to book, ISO 8601. Required unless the webinar is on demand: then the default is the present minute.',
    ),
  phone: optionalText(50).describe('Phone number, in any form.'),
  timezone: timezone
    .nullable()
    .default(null)
    .describe('Time zone of the attendee, an IANA name such as `Europe/Berlin`.'),
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
  referrer: optionalText(2048).describe('URL of the page that led to the registration.'),
  metadata: textByKey(
    storable(z.string().min(1, 'A name must not be empty.').max(100, 'A name has at most 100 characters.')),
    storable(z.string().max(500)),
  )
    .refine((entries) => Object.keys(entries).length <= metadataMax, `At most ${metadataMax} entries.`)
    .meta({ description: 'Your own data. Returned unchanged.', maxProperties: metadataMax })
    .default({}),
  consent: ConsentInput.nullable()
    .default(null)
    .describe(
      'Answer to the consent text. Null means that it was not asked. A webinar with a consent text sends marketing mails only to ' +
        'people who agreed.',
    ),
  suppressConfirmation: z
    .boolean()
    .default(false)
    .describe('True: the confirmation mail of this registration is not sent.'),
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

const emailAddress = z.email();

/** Characters of options in one error message. A batch of 500 rows can have 15,000 refused answers. */
const namedMax = 300;

interface FormField extends Pick<Webinar['registrationForm']['fields'][number], 'key' | 'type' | 'required'> {
  options: readonly string[];
}

/** Finds the problems of the answers to a form. A form without fields accepts any answers. */
export function customFieldProblems(
  fields: readonly FormField[],
  given: Readonly<Record<string, string>>,
): Issue[] {
  if (fields.length === 0) return [];
  const keys = new Set(fields.map((field) => field.key));
  const answers = new Map(Object.entries(given));
  const unknown = [...answers.keys()]
    .filter((key) => !keys.has(key))
    .map((key) => ({ path: `customFields.${key}`, message: 'Unknown field.' }));
  const refused = fields.flatMap((field) => {
    const message = fieldProblem(field, answers.get(field.key) ?? '');
    return message === undefined ? [] : [{ path: `customFields.${field.key}`, message }];
  });
  return [...unknown, ...refused];
}

function fieldProblem({ type, required, options }: FormField, value: string): string | undefined {
  if (value === '') return required ? 'Required.' : undefined;
  if (type === 'email' && !emailAddress.safeParse(value).success) return 'Not an e-mail address.';
  if (type === 'select' && !options.includes(value)) return `Must be one of: ${nameOptions(options)}.`;
  if (type === 'checkbox') {
    if (value !== 'true' && value !== 'false') return 'Must be "true" or "false".';
    if (required && value === 'false') return 'Must be "true".';
  }
  return undefined;
}

/** Lists the first options and the number of the others. */
function nameOptions(options: readonly string[]): string {
  let length = 0;
  const end = options.findIndex((option, index) => (length += option.length) > namedMax && index > 0);
  if (end === -1) return options.join(', ');
  return `${options.slice(0, end).join(', ')} and ${options.length - end} more`;
}
