import { idAt, idTime, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { rowCondition } from './conditions.ts';
import { findQuarters } from './find-quarters.ts';
import type { CallFilter, CallOutput } from './schemas.ts';
import { overlap, spanOf, type Span } from './span.ts';

interface CallPage {
  data: CallOutput[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

type ListInput = CallFilter & { limit: number; cursor?: string | undefined };

/** Lists calls, newest first. A cursor is valid only with the filter that it was made with. */
export async function listCalls(
  reader: AccountReader,
  { limit, cursor, ...filter }: ListInput,
): Promise<CallPage> {
  const scope = { list: 'api_calls', accountId: reader.accountId, filters: filter };
  const before = cursorId(cursor, scope);
  const wanted = limit + 1;
  const span = spanBefore(spanOf(filter, reader.now), before);
  const spans =
    filter.requestId === undefined
      ? (await findQuarters(reader, filter, { span, wanted })).map((quarters) => overlap(quarters, span))
      : [span];
  const rows = await selectNewest(reader, filter, { spans, before, wanted });
  return toPage(rows, { limit, scope, toItem: callToOutput });
}

const spanBefore = ({ from, to }: Span, id: string | undefined): Span => ({
  from,
  to: id === undefined ? to : new Date(Math.min(to.getTime(), idTime(id).getTime() + 1)),
});

/**
 * One range scan for each span. MikroORM writes the ids into the statement as literals, so only the partitions of their days are
 * planned, locked and read.
 */
async function selectNewest(
  { em, accountId }: AccountReader,
  filter: CallFilter,
  { spans, before, wanted }: { spans: readonly Span[]; before: string | undefined; wanted: number },
): Promise<CallRow[]> {
  if (spans.length === 0) return [];
  const { sql, values } = rowCondition(filter);
  const scan = `(
    select id, surface, status, method, path, tool, replayed, key_id, key_label, duration_ms, request_id
    from activity.api_call where account_id = ? and id >= ? and id < ? ${sql}
    order by id desc limit ?)`;
  return em.execute<CallRow[]>(
    `select * from (${spans.map(() => scan).join(' union all ')}) call order by id desc limit ?`,
    [
      ...spans.flatMap(({ from, to }) => [
        accountId,
        idAt(from),
        earlier(idAt(to), before),
        ...values,
        wanted,
      ]),
      wanted,
    ],
  );
}

const earlier = (id: string, other = id): string => (other < id ? other : id);

interface CallRow {
  id: string;
  surface: string;
  status: number;
  method: string | null;
  path: string | null;
  tool: string | null;
  replayed: boolean;
  key_id: string;
  key_label: string;
  duration_ms: number;
  request_id: string;
}

const callToOutput = (row: CallRow): CallOutput => ({
  id: row.id,
  surface: row.surface === 'mcp' ? 'mcp' : 'rest',
  at: idTime(row.id).toISOString(),
  status: row.status,
  method: row.method,
  path: row.path,
  tool: row.tool,
  replayed: row.replayed,
  keyId: row.key_id,
  keyLabel: row.key_label,
  durationMs: row.duration_ms,
  requestId: row.request_id,
});
