// Keyset paging on the UUIDv7 id, newest first. A cursor is opaque and belongs to the account, the list and the filters that
// it was made with.
import { createHash } from 'node:crypto';
import { mapInTurns } from '@service/database';
import { commonErrors } from '@service/errors';
import { z } from 'zod';

const limitMax = 100;

/** Fields every list input has. */
export const pageInput = {
  limit: z.number().int().min(1).max(limitMax).default(25).describe('How many to return at most.'),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the page before.'),
};

/** The body of one object. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) => parsedAtOnce(z.object({ data: schema }));

/** The body of a list. */
export const pageOf = <Schema extends z.ZodType>(schema: Schema) =>
  parsedAtOnce(
    z.object({
      data: z.array(schema),
      pagination: z.object({
        nextCursor: z.string().nullable().describe('Pass as `cursor` for the next page; null on the last.'),
        hasMore: z.boolean(),
      }),
    }),
  );

/**
 * tRPC prefers a schema's asynchronous parser, and zod runs compiled code only in the synchronous one. Answers are the
 * largest things that are parsed: for a page of webinars it was a quarter of the request.
 */
function parsedAtOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  const parseAsync: Schema['parseAsync'] = async (value, params) => schema.parse(value, params);
  return Object.assign(schema, { parseAsync });
}

/** The body of a batch of hundreds of rows, and its summary. Other calls run while it is parsed. */
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

/** The list that a cursor belongs to. */
interface ListScope {
  /** The name of the list, unique in the product: `webinars`. */
  list: string;
  accountId: string;
  filters?: unknown;
}

const cursorVersion = '2';

/** The id a page starts after; undefined for the first page. Throws malformed_request for a foreign or garbled cursor. */
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
  /** The id at which a search that may only look at so many rows gave up: the next page goes on there. */
  stoppedAt?: string | undefined;
  toItem: (row: Row) => Item;
}

/** Makes a page of up to `limit + 1` fetched rows: the extra row only proves that there is more. */
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
