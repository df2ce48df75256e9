// Fields that inputs and answers of many procedures share. A door of its own (`@service/trpc/fields`), because forms of the dashboard
// check with them too: it imports nothing but zod.
import { z } from 'zod';

/** A text for people: trimmed, not blank, at most `max` characters, without characters that cannot be stored. */
export const text = (max: number) =>
  storable(notBlank(z.string().trim()).max(max, `At most ${max} characters.`));

/** Refuses a text without a visible character. U+2800 is the blank of Braille. */
export const notBlank = (schema: z.ZodString) =>
  schema
    .min(1, blank)
    .refine(
      (value) => value === '' || /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value),
      blank,
    );

const blank = 'Must not be blank.';

/**
 * Refuses half a surrogate pair and control characters (Unicode category Cc) other than tab and line breaks. Postgres cannot store
 * half a pair or NUL (https://www.postgresql.org/docs/current/datatype-json.html). The other control characters change the
 * appearance of a terminal, a log or a header.
 */
export const storable = (schema: z.ZodString) =>
  wellFormed(schema).refine(
    (value) => !/[^\P{Cc}\t\n\r]/u.test(value),
    'Must not contain control characters other than tab and line breaks.',
  );

/**
 * A URL that is stored as the caller wrote it. `new URL` would encode a control character or drop a line break, and so accept a
 * text that cannot be stored. The caller checks that it is a URL.
 */
export const urlText = (max = 2048) =>
  wellFormed(z.string().trim().max(max, `At most ${max} characters.`)).refine(
    (value) => !/\p{Cc}/u.test(value),
    'Must not contain control characters.',
  );

const wellFormed = (schema: z.ZodString) =>
  schema.refine((value) => value.isWellFormed(), 'Must not contain half a surrogate pair.');

/** A time in an answer: ISO 8601 in UTC with milliseconds. */
export const instant = () => z.iso.datetime().describe('ISO 8601, UTC.');

const dayMs = 24 * 60 * 60 * 1000;
const daysMax = 1000;
/** The dates of days, which are counted from 1970: `2026-12-01`. */
const days = new Map<number, string>();

/** The text of `instant`: the same as that of `toISOString`, which takes a microsecond, six times as long. Throws a RangeError for an invalid time. */
export function instantOf(time: Date): string {
  const ms = time.getTime();
  const day = Math.floor(ms / dayMs);
  let date = days.get(day);
  if (date === undefined) {
    date = time.toISOString().slice(0, -'T09:00:00.000Z'.length);
    if (days.size >= daysMax) days.clear();
    days.set(day, date);
  }
  const seconds = Math.floor((ms - day * dayMs) / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = ms - day * dayMs - seconds * 1000;
  const clock = `${twoDigits(hours)}:${twoDigits(minutes - hours * 60)}:${twoDigits(seconds - minutes * 60)}`;
  return `${date}T${clock}.${rest < 100 ? '0' : ''}${twoDigits(rest)}Z`;
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

type Answered<Value> = Value extends Date ? string : Value extends undefined ? null : Value;

type FieldsOf<Shape, Row, Given> = {
  [Name in keyof Shape]: Name extends keyof Given
    ? Answered<Given[Name]>
    : Name extends keyof Row
      ? Answered<Row[Name]>
      : undefined;
};

/**
 * The fields of an output, from a record that has most of them under the same names: times become ISO 8601, and a missing value
 * null. `given` has the fields that differ from the record's or that it lacks.
 */
export function recordToOutput<Shape extends z.ZodRawShape, Row extends object, Given extends object>(
  { shape }: z.ZodObject<Shape>,
  record: Row,
  given: Given,
): FieldsOf<Shape, Row, Given> {
  let toOutput = compiled.get(shape);
  if (toOutput === undefined) {
    toOutput = compileToOutput(Object.keys(shape));
    compiled.set(shape, toOutput);
  }
  return toOutput(record, given) as FieldsOf<Shape, Row, Given>;
}

type ToOutput = (record: object, given: object) => unknown;

const compiled = new WeakMap<z.ZodRawShape, ToOutput>();

/** Makes a function that has the names in its code. A loop over names in a variable took 7 % of the time of a list's request. */
function compileToOutput(names: readonly string[]): ToOutput {
  const fields = names.map((each) => {
    const name = JSON.stringify(each);
    return `${name}: toAnswered(${name} in given ? given[${name}] : record[${name}])`;
  });
  const toAnswered = (value: unknown): unknown =>
    value instanceof Date ? instantOf(value) : (value ?? null);
  // oxlint-disable-next-line typescript/no-implied-eval -- The text has only names of our own schemas.
  return new Function('toAnswered', `return (record, given) => ({ ${fields.join(', ')} })`)(toAnswered);
}

/**
 * An id in an input or an answer. It becomes lower case, as the database writes ids: some languages write UUIDs in upper case, and
 * ids are also compared as texts, in the keys of caches and locks and in the triggers of rules.
 */
export const id = (noun: string) => z.uuid().toLowerCase().describe(`The id of the ${noun}.`);

/** A sum of money in an answer, in minor units. Beyond 2^53, where `z.int()` refuses a number, it is the nearest one. */
export const sumMinor = () =>
  z.number().refine(Number.isInteger, 'Must be an integer.').meta({ type: 'integer' });

/** A problem of the input in an answer. */
export const ErrorIssue = z
  .object({
    path: z
      .string()
      .describe('The field or the query parameter: `email`, `eventTypes.0`, `limit`. `body` for the whole.'),
    message: z.string().describe('The problem in words.'),
  })
  .meta({ id: 'ErrorIssue' });

const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Other spellings of a time that languages and shells print: without seconds (Java), an offset without a colon or minutes (PHP,
 * `date +%z`), in lower case, and a space where a `+` was not encoded in a URL.
 */
const timeSpellings =
  /^(?<minute>\d{4}-\d\d-\d\dt\d\d:\d\d)(?<seconds>:\d\d(?:\.\d+)?)?(?:(?<utc>z)|(?<sign>[+ -])(?<hours>\d\d)(?::?(?<minutes>\d\d))?)$/i;

/** A time as RFC 3339 writes it, such as `2026-12-01T09:00:00+01:00`. Other text stays as it is. */
function toRfc3339(text: string): string {
  const {
    minute,
    seconds = ':00',
    utc,
    sign,
    hours,
    minutes = '00',
  } = timeSpellings.exec(text)?.groups ?? {};
  if (minute === undefined) return text;
  const offset = utc ?? `${sign === ' ' ? '+' : sign}${hours}:${minutes}`;
  return `${minute}${seconds}${offset}`.toUpperCase();
}

const timeWithOffset = ({ abort }: { abort: boolean }) =>
  z
    .string()
    .overwrite(toRfc3339)
    .check(
      z.iso.datetime({
        offset: true,
        abort,
        error: 'An ISO 8601 time with its offset, such as 2026-12-01T09:00:00Z.',
      }),
    );

/** A time with its UTC offset in an input, as RFC 3339 writes it or in another spelling of ISO 8601. Becomes the first. */
export const isoTime = timeWithOffset({ abort: false });

/** An `isoTime` between 1970 and 9999, because Postgres refuses the year 0, and an id cannot contain a time before 1970. */
export const moment = timeWithOffset({ abort: true }).refine(
  isStorable,
  'Must lie between the years 1970 and 9999.',
);

function isStorable(text: string): boolean {
  const time = Date.parse(text);
  return time >= 0 && time <= latestMs;
}

/** A day of the workspace's time zone, or a time with any UTC offset. */
export const dayOrMoment = z
  .string()
  .overwrite(toRfc3339)
  .refine(
    (text) => isDay(text) || moment.safeParse(text).success,
    'A day such as 2026-12-01, or an ISO 8601 time with its offset, such as 2026-12-01T09:00:00Z.',
  );

/** True for a day without a time, `2026-12-01`, of the years 1970 to 9999. */
export const isDay = (text: string): boolean => z.iso.date().safeParse(text).success && text >= '1970';

/** The name of a time zone, never a bare offset. */
export const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'Not an IANA time zone such as Europe/Berlin.')
  .describe('IANA time zone such as `Europe/Berlin`.');

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

const offsetMaxMinutes = 14 * 60;

/** The offset of the reader's time zone, so that the bars of a histogram begin with the reader's hours and days. */
export const utcOffsetMinutes = z
  .number()
  .int()
  .multipleOf(15)
  .min(-offsetMaxMinutes)
  .max(offsetMaxMinutes)
  .default(0);

const limitMax = 100;

/** Fields of every list input. */
export const pageInput = {
  limit: z
    .number()
    .int()
    .min(1)
    .max(limitMax)
    .default(25)
    .describe('The maximum number of items on a page. A page of large items ends before it.'),
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the previous page.'),
};

/** Of a list that can be sorted. The description of its operation says which order is the default. */
export const sortOrder = z.enum(['asc', 'desc']).meta({
  id: 'SortOrder',
  description: '`asc`: the smallest, earliest or first letter first. `desc`: the reverse.',
});

interface TimeFilters {
  from?: string | undefined;
  to?: string | undefined;
}

/** True for a time range that ends after it begins, and for one without one of both. */
export const endsAfterItBegins = ({ from, to }: TimeFilters): boolean =>
  from === undefined || to === undefined || Date.parse(from) < Date.parse(to);

export const backwardsText = 'Must be after `from`.';

/** Refuses filters whose time range does not end after it begins: a list would be empty without a word. */
export const forwards = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.refine((filters) => endsAfterItBegins(filters as TimeFilters), {
    error: backwardsText,
    path: ['to'],
  });
