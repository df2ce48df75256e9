// The file of an import: its rows, and the registrations that they become.
import { customFieldProblems, RegistrantRow } from '@service/attendees/inputs';
import { textOfCell } from '@service/rest/csv';
import Papa from 'papaparse';
import type { z } from 'zod';
import { formatCount } from '../../../../format.ts';
import type { Webinar } from '../../../../trpc.ts';

export const fileBytesMax = 8 * 1024 * 1024;
export const rowsMax = 20_000;

/** Rows of one call, and about the characters of them. A call may have one megabyte. */
const batchRows = 200;
const batchCharacters = 300_000;

export interface CsvTable {
  headings: string[];
  rows: CsvRow[];
}

export interface CsvRow {
  cells: string[];
  /** The row of a spreadsheet, from 1. Blank rows of the file count. */
  line: number;
}

/** Excel also saves files in the character set of Windows. */
export function decodeFile(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Throws an error whose message says what is wrong with the file. Commas, semicolons and tabs separate cells. */
export function readTable(text: string): CsvTable {
  const { delimiter } = Papa.parse(text, { skipEmptyLines: 'greedy', preview: 10 }).meta;
  const found: CsvRow[] = [];
  let line = 0;
  // Papa Parse leaves blank rows out without a word about their number, and its limit of rows counts them.
  Papa.parse<string[]>(text, {
    delimiter,
    step({ data: cells }, parser) {
      line += 1;
      if (cells.some((cell) => cell.trim() !== '')) found.push({ cells, line });
      if (found.length > rowsMax + 1) parser.abort();
    },
  });
  const [first, ...rows] = found;
  if (!first || rows.length === 0)
    throw new Error('The file needs a first line with the names of the columns, and a line for each person.');
  if (rows.length > rowsMax)
    throw new Error(`The file has more than ${formatCount(rowsMax)} rows. Split it.`);
  return { headings: first.cells.map((heading, index) => heading.trim() || `Column ${index + 1}`), rows };
}

/** A field of a registration that a column can fill. */
export interface Target {
  /** The path of the API: `email`, `utm.source`, `customFields.company`. */
  path: string;
  label: string;
  isRequired: boolean;
}

export const targetsOf = ({ registrationForm: { fields } }: Pick<Webinar, 'registrationForm'>): Target[] => [
  { path: 'name', label: 'Name', isRequired: true },
  { path: 'email', label: 'E-mail', isRequired: true },
  { path: 'phone', label: 'Phone', isRequired: false },
  ...fields.map(({ key, label, required }) => ({
    path: `customFields.${key}`,
    label,
    isRequired: required,
  })),
  { path: 'utm.source', label: 'utm_source', isRequired: false },
  { path: 'utm.medium', label: 'utm_medium', isRequired: false },
  { path: 'utm.campaign', label: 'utm_campaign', isRequired: false },
];

/** The index of the column of each field, by path. */
export type Mapping = Readonly<Record<string, number | undefined>>;

const otherNames: Readonly<Record<string, readonly string[]>> = {
  name: ['fullname', 'attendee', 'vorname'],
  email: ['mail', 'emailaddress'],
  phone: ['phonenumber', 'telephone', 'mobile'],
};

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Finds the columns by their headings. */
export function guessMapping(headings: readonly string[], targets: readonly Target[]): Mapping {
  const names = headings.map(plain);
  return Object.fromEntries(
    targets.map(({ path, label }) => {
      const wanted = [plain(path), plain(label), plain(path.split('.').at(-1)!), ...(otherNames[path] ?? [])];
      const found = wanted.map((name) => names.indexOf(name)).find((index) => index >= 0);
      return [path, found];
    }),
  );
}

export interface ImportOptions {
  mapping: Mapping;
  /** Undefined: the sessions are not loaded yet. */
  sessionTime: string | undefined;
  suppressConfirmation: boolean;
}

export type Registrant = z.input<typeof RegistrantRow>;

/** Empty cells are left out. */
export function toRegistrant({ cells }: Pick<CsvRow, 'cells'>, options: ImportOptions): Registrant {
  const { mapping, sessionTime, suppressConfirmation } = options;
  const registrant: Record<string, unknown> = { name: '', email: '', suppressConfirmation };
  if (sessionTime !== undefined) registrant['sessionTime'] = sessionTime;
  for (const [path, column] of Object.entries(mapping)) {
    const value = column === undefined ? '' : textOfCell((cells[column] ?? '').trim());
    if (value === '') continue;
    const [name = '', inner] = path.split('.');
    if (inner === undefined) registrant[name] = value;
    else registrant[name] = { ...(registrant[name] as object | undefined), [inner]: value };
  }
  return registrant as Registrant;
}

/** The problems that the API would find in a row, as one sentence. Undefined: it has none. */
export function problemOf(
  registrant: Registrant,
  { registrationForm: { fields } }: Pick<Webinar, 'registrationForm'>,
): string | undefined {
  const { error } = RegistrantRow.safeParse(registrant);
  const found = [
    ...(error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? []),
    ...customFieldProblems(fields, registrant.customFields ?? {}),
  ];
  return found.length === 0 ? undefined : found.map(({ path, message }) => `${path}: ${message}`).join(' ');
}

/** The problem of each row. An address that an earlier row has is one, because each person is registered once. */
export function checkRows(
  registrants: readonly Registrant[],
  webinar: Pick<Webinar, 'registrationForm'>,
): (string | undefined)[] {
  const seen = new Set<string>();
  return registrants.map((registrant) => {
    const problem = problemOf(registrant, webinar);
    if (problem !== undefined) return problem;
    const address = registrant.email.toLowerCase();
    if (seen.has(address)) return 'An earlier row has this address.';
    seen.add(address);
    return undefined;
  });
}

/** The registrations of each call, in order. */
export function batchesOf(registrants: readonly Registrant[]): Registrant[][] {
  const batches: Registrant[][] = [];
  let characters = 0;
  for (const registrant of registrants) {
    const length = JSON.stringify(registrant).length;
    const last = batches.at(-1);
    if (!last || last.length === batchRows || characters + length > batchCharacters) {
      batches.push([registrant]);
      characters = length;
    } else {
      last.push(registrant);
      characters += length;
    }
  }
  return batches;
}
