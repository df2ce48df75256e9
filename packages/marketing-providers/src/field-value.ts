// Our values and the fields of tools: which value fits which field, and the form in which a field takes it. The forms are those that all six
// tools take: dates as YYYY-MM-DD (HubSpot refuses a date with a time, Brevo and ActiveCampaign drop it), moments in ISO 8601, numbers and
// booleans as JSON. Tools that take texts only make texts of them.

/** A value of ours. */
export type FieldValue = string | number | boolean;

/** The types of fields, the same for all tools. `other`: no value of ours fits, such as an address. */
export const fieldTypes = [
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'choice',
  'multiple_choice',
  'other',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** The kinds of our values. `moment`: a time as a text in ISO 8601. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'moment';

const typesOfKind: Record<ValueKind, readonly FieldType[]> = {
  text: ['text'],
  number: ['number', 'text'],
  boolean: ['boolean', 'text'],
  moment: ['datetime', 'date', 'text'],
};

/** True if every value of the kind can be written into a field of the type. */
export const kindFits = (kind: ValueKind, type: FieldType): boolean => typesOfKind[kind].includes(type);

/** True if this one value can be written into a field of the type. A text may be a number, such as "75". */
export const valueFits = (value: FieldValue, type: FieldType): boolean => forms[type].fits(value);

/** The value in the form that a field of the type takes. A value that does not fit stays as it is, and the tool refuses it. */
export const toFieldForm = (value: FieldValue, type: FieldType): FieldValue =>
  valueFits(value, type) ? forms[type].write(value) : value;

const isText = (value: FieldValue): boolean => typeof value === 'string';

const isMoment = (value: FieldValue): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) && !Number.isNaN(Date.parse(value));

const toIso = (value: FieldValue): string => new Date(String(value)).toISOString();

const forms: Record<FieldType, { fits(value: FieldValue): boolean; write(value: FieldValue): FieldValue }> = {
  text: { fits: () => true, write: String },
  number: {
    fits: (value) =>
      typeof value !== 'boolean' && String(value).trim() !== '' && Number.isFinite(Number(value)),
    write: Number,
  },
  boolean: {
    fits: (value) => String(value) === 'true' || String(value) === 'false',
    write: (value) => String(value) === 'true',
  },
  date: { fits: isMoment, write: (value) => toIso(value).slice(0, 10) },
  datetime: { fits: isMoment, write: toIso },
  choice: { fits: isText, write: String },
  multiple_choice: { fits: isText, write: String },
  other: { fits: () => false, write: String },
};

const kindTexts: Record<ValueKind, string> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  moment: 'a date with a time',
};

/** What a field takes, for messages: "the field takes a number". */
export const takenTexts: Record<FieldType, string> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  datetime: 'a date with a time',
  choice: 'one of its choices',
  multiple_choice: 'some of its choices',
  other: 'none of these values',
};

/** Why a value of the kind does not fit, without a full stop: "the value is a text, and the field takes a number". */
export const misfitOf = (kind: ValueKind, type: FieldType): string =>
  `the value is ${kindTexts[kind]}, and the field takes ${takenTexts[type]}`;
