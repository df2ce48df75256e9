// Every list of the dashboard as a file. A file is read by the procedure of its list, page by page, so that it has the rows, the filters
// and the permissions of the list.
import type { Service } from '@service/composition';
import { commonErrors } from '@service/errors';
import { byteOrderMark, createCsvDoor, numberCell, textCell, toLine } from '@service/rest';
import { toRequestContext } from '@service/surface';
import { errorOf, type RequestContext } from '@service/trpc';
import { z } from 'zod';

type Caller = ReturnType<Service['router']['createCaller']>;

/** The procedures of lists, by the name of their file. */
export const exportedLists = {
  webinars: 'webinars.list',
  sessions: 'sessions.list',
  registrations: 'registrations.list',
  people: 'people.list',
  interactions: 'interactions.list',
  endpoints: 'endpoints.list',
  deliveries: 'deliveries.list',
  executions: 'automations.executions',
  'rule-executions': 'automations.ruleExecutions',
  sends: 'contacts.listSends',
  suppressions: 'suppressions.list',
  keys: 'keys.list',
  members: 'accounts.members.list',
  activity: 'activity.list',
} as const;

/** The largest page of a list. */
const pageSize = 100;

const isList = (name: string): name is keyof typeof exportedLists => Object.hasOwn(exportedLists, name);

/** `GET /api/export/{list}.csv?workspace={id}&input={filters of the list as JSON}` for signed-in members. */
export const createListExports = ({ service, log }: Pick<Parts, 'service' | 'log'>) =>
  createCsvDoor(
    { accounts: service.accounts, database: service.database, docsUrl: service.docsUrl, log },
    {
      path: '/api/export/:file',
      async open({ params, query }, { admission, requestId }) {
        const name = String(params['file']).replace(/\.csv$/, '');
        if (!String(params['file']).endsWith('.csv') || !isList(name)) throw commonErrors.not_found();
        const procedure = exportedLists[name];
        const { database, onWritten } = service;
        const createContext = (): RequestContext => ({
          ...toRequestContext(admission, { database, log, onWritten }, requestId),
          mayBeLate: true,
        });
        const read = createReader(service, procedure, createContext);
        const filters = readFilters(query['input']);
        // The first page is read before the answer begins, so that a refusal has its status.
        const first = await read(filters, undefined);
        return {
          name,
          text: writeRows(columnsOf(service, procedure), first, (cursor) => read(filters, cursor)),
        };
      },
    },
  );

interface Parts {
  service: Service;
  log: Parameters<typeof createCsvDoor>[0]['log'];
}

interface Page {
  data: readonly object[];
  pagination?: { nextCursor: string | null };
}

/** A function that reads a page of a list, as a call of its own. A list without pages has one. */
function createReader(service: Service, procedure: string, createContext: () => RequestContext) {
  const { inputs } = definitionOf(service, procedure);
  const isPaged = inputs[0] instanceof z.ZodObject && 'cursor' in inputs[0].shape;
  return async (filters: object, cursor: string | undefined): Promise<Page> => {
    const caller: Caller = service.router.createCaller(createContext());
    const call = procedure
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], caller) as (
      input: unknown,
    ) => Promise<Page>;
    const page = isPaged ? { limit: pageSize, ...(cursor !== undefined && { cursor }) } : {};
    try {
      return await call(inputs.length === 0 ? undefined : { ...filters, ...page });
    } catch (thrown) {
      throw errorOf(thrown);
    }
  };
}

const Filters = z.record(z.string(), z.unknown());

/** Throws malformed_request. */
function readFilters(text: unknown): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    return Filters.parse(JSON.parse(z.string().parse(text)));
  } catch {
    throw commonErrors.malformed_request({
      issues: [{ path: 'input', message: 'Must be the filters of the list as a JSON object.' }],
    });
  }
}

interface Definition {
  inputs: z.ZodType[];
  output: z.ZodType;
}

const definitionOf = (service: Service, procedure: string): Definition =>
  (service.router._def.procedures as unknown as Record<string, { _def: Definition }>)[procedure]!._def;

/** The path of a value in a row. */
type Column = readonly string[];

/** The fields of a row of the list, as its schema has them. An object inside gives a column for each of its fields. */
function columnsOf(service: Service, procedure: string): Column[] {
  const { output } = definitionOf(service, procedure);
  const rows = output instanceof z.ZodObject ? output.shape['data'] : undefined;
  if (!(rows instanceof z.ZodArray)) throw new Error(`${procedure} is no list`);
  return columnsIn(rows.element as z.ZodType, []);
}

function columnsIn(schema: z.ZodType, path: Column): Column[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return columnsIn(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodUnion) {
    const columns = schema.options.flatMap((option) => columnsIn(option as z.ZodType, path));
    return [...new Map(columns.map((column) => [column.join('.'), column])).values()];
  }
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    columnsIn(field as z.ZodType, [...path, name]),
  );
}

async function* writeRows(
  columns: readonly Column[],
  first: Page,
  readNext: (cursor: string) => Promise<Page>,
): AsyncGenerator<string, void> {
  yield byteOrderMark + toLine(columns.map((column) => textCell(headingOf(column))));
  for (let page = first; ;) {
    if (page.data.length > 0)
      yield page.data.map((row) => toLine(columns.map((column) => cellOf(valueIn(row, column))))).join('');
    const next = page.pagination?.nextCursor;
    if (!next) return;
    page = await readNext(next);
  }
}

/** `utm_source` for the field `source` of `utm`. */
const headingOf = (column: Column): string =>
  column.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join('_');

const valueIn = (row: object, column: Column): unknown =>
  column.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], row);

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return numberCell(String(value));
  return textCell(typeof value === 'string' ? value : JSON.stringify(value));
}
