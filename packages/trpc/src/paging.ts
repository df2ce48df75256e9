// Keyset pagination by the UUIDv7 id, newest first. A cursor is opaque and valid only for its account, list and filters.
import { createHash } from 'node:crypto';
import { mapInTurns, pageBytesMax } from '@service/database';
import { commonErrors } from '@service/errors';
import { z } from 'zod';

const Pagination = z
  .object({
    nextCursor: z.string().nullable().describe('The `cursor` of the next page. Null on the last page.'),
    hasMore: z.boolean().describe('True if there is a next page.'),
  })
  .meta({ id: 'Pagination', description: 'The way to the next page.' });

const allRows = 'All records.';

/** The body of one object, or of a list without pages. The name of its schema is that of the record and `Answer` or `List`. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) =>
  schema instanceof z.ZodArray
    ? bodyOf(schema, 'List', () => z.object({ data: schema.describe(allRows) }))
    : bodyOf(schema, 'Answer', () => z.object({ data: schema.describe('The record.') }));

/** The body of a page of a list. The name of its schema is that of the record and `List`. */
export const pageOf = <Schema extends z.ZodType>(schema: Schema) =>
  bodyOf(schema, 'List', () =>
    z.object({ data: z.array(schema).describe('The records of this page.'), pagination: Pagination }),
  );

/** The body of hundreds of rows with a summary. Other calls run while it is parsed. */
export function batchOf<Row extends z.ZodType, Summary extends z.ZodType>(row: Row, summary: Summary) {
  const schema = z.object({
    data: z.array(row).describe('A result for each row, in the order of the request.'),
    summary,
  });
  const frame = z.object({ data: z.array(z.unknown()), summary });
  const parseAsync: typeof schema.parseAsync = async (value, params) => {
    const batch = frame.parse(value, params);
    const data = await mapInTurns(batch.data, (one) => row.parse(one, params));
    return { ...batch, data } as z.output<typeof schema>;
  };
  return Object.assign(nameAfter(row, 'List', schema), { parseAsync });
}

type Suffix = 'Answer' | 'List';

const made = { Answer: new WeakMap<z.ZodType, z.ZodType>(), List: new WeakMap<z.ZodType, z.ZodType>() };

/** Makes one schema for all procedures with this answer, because a name belongs to one schema. */
function bodyOf<Body extends z.ZodType>(record: z.ZodType, suffix: Suffix, make: () => Body): Body {
  const known = made[suffix].get(record) as Body | undefined;
  if (known) return known;
  const body = parsedAtOnce(nameAfter(record, suffix, make()));
  made[suffix].set(record, body);
  return body;
}

/** An answer to the dashboard only has no name. `meta()` would copy the schema, without `parseAsync`. */
function nameAfter<Body extends z.ZodType>(record: z.ZodType, suffix: Suffix, body: Body): Body {
  const { id } = z.globalRegistry.get(record instanceof z.ZodArray ? record.element : record) ?? {};
  if (id !== undefined) z.globalRegistry.add(body, { id: `${id}${suffix}` });
  return body;
}

/**
 * tRPC prefers the asynchronous parser of a schema, and zod runs compiled code only in the synchronous one. For a page of webinars
 * the parsing of the answer was a quarter of the request.
 */
function parsedAtOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  const parseAsync: Schema['parseAsync'] = async (value, params) => schema.parse(value, params);
  return Object.assign(schema, { parseAsync });
}

/** The list of a cursor. */
interface ListScope {
  /** The name of the list, unique in the product: `webinars`. */
  list: string;
  accountId: string;
  filters?: unknown;
}

const cursorVersion = '2';

/** The last row of the page before. */
interface CursorPlace {
  id: string;
  /** The time by which the list is sorted. Undefined for a list in the order of its ids. */
  time: Date | undefined;
}

/**
 * The place before the first item of a page; undefined for the first page. Throws malformed_request for a foreign or invalid
 * cursor.
 */
export function cursorPlace(cursor: string | undefined, scope: ListScope): CursorPlace | undefined {
  if (cursor === undefined) return undefined;
  const [version, id, print, timeMs] = Buffer.from(cursor, 'base64url').toString('latin1').split('|');
  const isOurs = version === cursorVersion && print === fingerprint(scope);
  if (!isOurs || !z.uuid().safeParse(id).success || !/^(\d{1,15})?$/.test(timeMs ?? '')) {
    throw commonErrors.malformed_request({
      issues: [{ path: 'cursor', message: 'Not a cursor of this list with these filters.' }],
    });
  }
  return { id: id!, time: timeMs ? new Date(Number(timeMs)) : undefined };
}

/** The id of cursorPlace. */
export const cursorId = (cursor: string | undefined, scope: ListScope): string | undefined =>
  cursorPlace(cursor, scope)?.id;

interface PageOptions<Row, Item> {
  limit: number;
  scope: ListScope;
  /** The id at which a search with a limit of rows stopped. The next page continues there. */
  stoppedAt?: string | undefined;
  /** The time by which the list is sorted. With it the next page begins at the right place when the last row was deleted. */
  timeOf?: (row: Row) => Date;
  /** The rows that `limit + 1` found, if not all of them were fetched (`withinBytes`). */
  found?: number | undefined;
  toItem: (row: Row) => Item;
}

/**
 * Makes a page of up to `limit + 1` fetched rows. The extra row only shows that there is a next page. A page ends before its limit when
 * it has the bytes of a page.
 */
export function toPage<Row extends { id: string }, Item>(
  rows: readonly Row[],
  { limit, scope, stoppedAt, timeOf, found, toItem }: PageOptions<Row, Item>,
): { data: Item[]; pagination: { nextCursor: string | null; hasMore: boolean } } {
  const asked = rows.slice(0, limit);
  // Measuring a page again that `withinBytes` has read costs 4 % of its request.
  const data = found === undefined ? fitting(asked, toItem) : asked.map(toItem);
  const last = (found ?? rows.length) > data.length ? rows[data.length - 1] : undefined;
  const lastId = last?.id ?? stoppedAt;
  const time = last && timeOf ? `|${timeOf(last).getTime()}` : '';
  const nextCursor =
    lastId === undefined
      ? null
      : Buffer.from(`${cursorVersion}|${lastId}|${fingerprint(scope)}${time}`, 'latin1').toString(
          'base64url',
        );
  return { data, pagination: { nextCursor, hasMore: nextCursor !== null } };
}

function fitting<Row, Item>(rows: readonly Row[], toItem: (row: Row) => Item): Item[] {
  const items: Item[] = [];
  let size = 0;
  for (const row of rows) {
    const item = toItem(row);
    size += sizeOf(item);
    if (size > pageBytesMax && items.length > 0) break;
    items.push(item);
  }
  return items;
}

/** About the bytes of a value as JSON. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 10;
  let size = 3;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else for (const name in value) size += name.length + 3 + sizeOf(value[name as keyof typeof value]);
  return size;
}

const fingerprint = ({ list, accountId, filters = {} }: ListScope): string =>
  createHash('sha256')
    .update(JSON.stringify([list, accountId, filters]))
    .digest('base64url')
    .slice(0, 12);
