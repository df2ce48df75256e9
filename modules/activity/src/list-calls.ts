import type { Surface } from '@service/catalogue';
import { column, floorTo, idAt, idTime, nullable, quarterMs, selectList, statement } from '@service/database';
import type { AccountReader, RowsOf, RowWith, Span, Statement } from '@service/database';
import { cursorId, toPage, type KeyCreator } from '@service/trpc';
import { allKeys, type credentialKinds } from './api-call.ts';
import {
  countFilters,
  countsContain,
  countValues,
  overlap,
  rowFilters,
  rowValues,
  spanOf,
} from './call-filter.ts';
import type { CallFilter, CallOutput } from './schemas.ts';

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
  keyId: column.id,
  keyLabel: column.text,
  durationMs: column.integer,
  requestId: column.text,
  errorCode: nullable(column.text),
  refusedFields: nullable(column.json<string[]>()),
  refusedMessages: nullable(column.json<string[]>()),
  userAgent: nullable(column.text),
  address: nullable(column.text),
  idempotencyKey: nullable(column.text),
};

type CallRow = RowWith<typeof callColumns>;

// $1 account, $2 limit, $3 to $7 the filters, then the first and the last id of each span.
const scan = (index: number): string => `(
    select ${selectList(callColumns)} from activity.api_call
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

const callToOutput = ({ refusedFields, refusedMessages, ...call }: CallRow): CallOutput => ({
  ...call,
  at: idTime(call.id).toISOString(),
  refusedFields: refusedFields ?? [],
  refusedMessages: refusedMessages ?? [],
});

// The counts show which quarters of an hour contain calls of a filter, and a list reads only those. So the calls of a key that was
// used twice in ninety days are found at once, without an index of keys on every row
// (infra/decisions/20261120-activity-call-counts.md).

/**
 * The spans, newest first, that contain the `wanted` newest calls of a filter, or all calls if there are fewer. Neighbouring
 * quarters are one span. The filter must be one that the counts contain.
 */
async function findQuarters(
  { query, accountId }: AccountReader,
  filter: CallFilter,
  { span, wanted }: { span: Span; wanted: number },
): Promise<Span[]> {
  const quarters = await query(selectQuarters, [
    ...countValues(accountId, filter),
    filter.status ?? null,
    floorTo(quarterMs, span.from),
    span.to,
    wanted + 1,
  ]);
  const found: Span[] = [];
  let calls = 0;
  for (const quarter of quarters) {
    const [from, to] = [new Date(quarter.startsAt), new Date(quarter.startsAt + quarterMs)];
    const newer = found.at(-1);
    if (newer?.from.getTime() === to.getTime()) newer.from = from;
    else found.push({ from, to });
    // The end of the span may lie inside the newest quarter. The number of its calls before that end is unknown.
    if (to <= span.to) calls += quarter.calls;
    if (calls >= wanted) break;
  }
  return found;
}

const countOfStatus = `case $4::text when 'success' then successes when 'failure' then failures else successes + failures end`;

const selectQuarters = statement({
  text: `
    select (extract(epoch from starts_at) * 1000)::float8 as "startsAt", sum(${countOfStatus})::float8 as calls
    from activity.api_call_count
    where ${countFilters} and ${countOfStatus} > 0 and starts_at >= $5 and starts_at < $6
    group by starts_at order by starts_at desc limit $7`,
  row: { startsAt: column.float, calls: column.float },
});

/** Keys and grants in the list at most; the newest ones are listed. */
const keysMax = 200;

// Steps from key to key along the primary key, so it does not read the other rows of a key.
const selectKeys = statement({
  name: 'activity.select_keys',
  text: `
    with recursive seen as (
      (select key_id, key_label, key_created_by, credential_kind from activity.api_call_count
       where account_id = $1 and key_id > $2 order by key_id desc, starts_at desc limit 1)
      union all
      select next.key_id, next.key_label, next.key_created_by, next.credential_kind from seen cross join lateral (
        select key_id, key_label, key_created_by, credential_kind from activity.api_call_count
        where account_id = $1 and key_id > $2 and key_id < seen.key_id order by key_id desc, starts_at desc limit 1
      ) next
    )
    select key_id as id, key_label as label, coalesce(key_created_by, '{"kind": "unknown"}') as "createdBy",
      coalesce(credential_kind, 'key') as kind
    from seen limit ${keysMax}`,
  row: {
    id: column.id,
    label: column.text,
    createdBy: column.json<KeyCreator>(),
    kind: column.textOf<(typeof credentialKinds)[number]>(),
  },
});

/** The keys and grants with calls in the retention time, also revoked ones, with their last label. Sorted by label. */
export async function listKeys({ query, accountId }: AccountReader): Promise<RowsOf<typeof selectKeys>[]> {
  const keys = await query(selectKeys, [accountId, allKeys]);
  return keys.toSorted((one, other) => one.label.localeCompare(other.label));
}
