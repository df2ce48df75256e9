import type { Surface } from '@service/catalogue';
import {
  column,
  idAt,
  idTime,
  nullable,
  type AccountReader,
  type RowWith,
  type Statement,
} from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { countsContain, rowFilters, rowValues } from './conditions.ts';
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
  const spans = countsContain(filter)
    ? (await findQuarters(reader, filter, { span, wanted })).map((quarters) => overlap(quarters, span))
    : [span];
  const rows = await selectNewest(reader, filter, { spans, before, wanted });
  return toPage(rows, { limit, scope, toItem: callToOutput });
}

const spanBefore = ({ from, to }: Span, id: string | undefined): Span => ({
  from,
  to: id === undefined ? to : new Date(Math.min(to.getTime(), idTime(id).getTime() + 1)),
});

async function selectNewest(
  { query, accountId }: AccountReader,
  filter: CallFilter,
  { spans, before, wanted }: { spans: readonly Span[]; before: string | undefined; wanted: number },
): Promise<CallRow[]> {
  if (spans.length === 0) return [];
  return query(selectOfSpans(spans.length), [
    accountId,
    wanted,
    ...rowValues(filter),
    ...spans.flatMap(({ from, to }) => [idAt(from), earlier(idAt(to), before)]),
  ]);
}

const callColumns = {
  id: column.id,
  surface: column.textOf<Surface>(),
  status: column.integer,
  method: nullable(column.text),
  path: nullable(column.text),
  tool: nullable(column.text),
  replayed: column.boolean,
  key_id: column.id,
  key_label: column.text,
  duration_ms: column.integer,
  request_id: column.text,
  error_code: nullable(column.text),
  refused_fields: nullable(column.json<string[]>()),
  user_agent: nullable(column.text),
  address: nullable(column.text),
  idempotency_key: nullable(column.text),
};

type CallRow = RowWith<typeof callColumns>;

// $1 account, $2 limit, $3 to $7 the filters, then the first and the last id of each span.
const scan = (index: number): string => `(
    select ${Object.keys(callColumns).join(', ')} from activity.api_call
    where account_id = $1 and id >= $${8 + 2 * index} and id < $${9 + 2 * index} ${rowFilters(3)}
    order by id desc limit $2)`;

/** One range scan for each span. Without a name, so that only the partitions of the spans are planned, locked and read. */
const selectOfSpans = (count: number): Statement<CallRow> => ({
  text: `
    select * from (${Array.from({ length: count }, (_, index) => scan(index)).join(' union all ')}) call
    order by id desc limit $2`,
  row: callColumns,
});

const earlier = (id: string, other = id): string => (other < id ? other : id);

const callToOutput = (row: CallRow): CallOutput => ({
  id: row.id,
  surface: row.surface,
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
  errorCode: row.error_code,
  refusedFields: row.refused_fields ?? [],
  userAgent: row.user_agent,
  address: row.address,
  idempotencyKey: row.idempotency_key,
});
