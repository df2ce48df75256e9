// Keyset pagination by the UUIDv7 id, newest first. A cursor is opaque and valid only for its account, list and filters.
import { createHash } from 'node:crypto';
import { mapInTurns } from '@service/database';
import { commonErrors } from '@service/errors';
import { z } from 'zod';

const limitMax = 100;

/** Fields of every list input. */
export const pageInput = {
  limit: z.number().int().min(1).max(limitMax).default(25).describe('The maximum number of items on a page.'),
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the previous page.'),
};

/** The body of one object. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) => parsedAtOnce(z.object({ data: schema }));

/** The body of a list. */
export const pageOf = <Schema extends z.ZodType>(schema: Schema) =>
  parsedAtOnce(
    z.object({
      data: z.array(schema),
      pagination: z.object({
        nextCursor: z.string().nullable().describe('The `cursor` of the next page. Null on the last page.'),
        hasMore: z.boolean(),
      }),
    }),
  );

/**
 * tRPC prefers the asynchronous parser of a schema, and zod runs compiled code only in the synchronous one. For a page of webinars
 * the parsing of the answer was a quarter of the request.
 */
function parsedAtOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  const parseAsync: Schema['parseAsync'] = async (value, params) => schema.parse(value, params);
  return Object.assign(schema, { parseAsync });
}

/** The body of hundreds of rows with a summary. Other calls run while it is parsed. */
export function batchOf<Row extends z.ZodType, Summary extends z.ZodType>(row: Row, summary: Summary) {
  const schema = z.object({ data: z.array(row), summary });
  const frame = z.object({ data: z.array(z.unknown()), summary });
  const parseAsync: typeof schema.parseAsync = async (value, params) => {
    const batch = frame.parse(value, params);
    const data = await mapInTurns(batch.data, (one) => row.parse(one, params));
    return { ...batch, data } as z.output<typeof schema>;
  };
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

/**
 * The id before the first item of a page; undefined for the first page. Throws malformed_request for a foreign or invalid cursor.
 */
export function cursorId(cursor: string | undefined, scope: ListScope): string | undefined {
  if (cursor === undefined) return undefined;
  const [version, id, print] = Buffer.from(cursor, 'base64url').toString('latin1').split('|');
  if (version !== cursorVersion || !z.uuid().safeParse(id).success || print !== fingerprint(scope)) {
    throw commonErrors.malformed_request({
      issues: [{ path: 'cursor', message: 'Not a cursor of this list with these filters.' }],
    });
  }
  return id;
}

interface PageOptions<Row, Item> {
  limit: number;
  scope: ListScope;
  /** The id at which a search with a limit of rows stopped. The next page continues there. */
  stoppedAt?: string | undefined;
  toItem: (row: Row) => Item;
}

/** Makes a page of up to `limit + 1` fetched rows. The extra row only shows that there is a next page. */
export function toPage<Row extends { id: string }, Item>(
  rows: readonly Row[],
  { limit, scope, stoppedAt, toItem }: PageOptions<Row, Item>,
): { data: Item[]; pagination: { nextCursor: string | null; hasMore: boolean } } {
  const shown = rows.slice(0, limit);
  const lastId = rows.length > limit ? shown.at(-1)?.id : stoppedAt;
  const nextCursor =
    lastId === undefined
      ? null
      : Buffer.from(`${cursorVersion}|${lastId}|${fingerprint(scope)}`, 'latin1').toString('base64url');
  return { data: shown.map(toItem), pagination: { nextCursor, hasMore: nextCursor !== null } };
}

const fingerprint = ({ list, accountId, filters = {} }: ListScope): string =>
  createHash('sha256')
    .update(JSON.stringify([list, accountId, filters]))
    .digest('base64url')
    .slice(0, 12);
