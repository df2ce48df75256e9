// Lists of deliveries of an endpoint, of several, or of an account. The number of deliveries searched is bounded, however long history is.
import { column, highestId, idAt, lowestId, statement, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { isFree } from '../due.ts';
import type { DeliveryOutput, DeliveryStatus, StatusFilter } from '../schemas.ts';
import { deliveryToOutput, findByIds, type DeliveryRow } from './history.ts';
import { codeRange, endpointsOf, searchedMax, searchHistory } from './search-history.ts';
import type { Found, HistoryFilters, IdRange } from './search-history.ts';

export interface DeliveryQuery extends Omit<HistoryFilters, 'status'> {
  status?: StatusFilter | undefined;
  /** A name for `endpointIds`, so that a cursor stays valid when an endpoint is added to them. */
  group?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** ISO 8601: made at this time or later. */
  from?: string | undefined;
  /** ISO 8601: made before this time. */
  to?: string | undefined;
}

export interface DeliveryPage {
  data: (DeliveryOutput & { endpointId: string })[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

/**
 * Newest first. When few deliveries match, a page may be short or empty and still have a next page. A cursor is valid for one
 * set of filters.
 */
export async function listDeliveries(
  reader: AccountReader,
  { limit, cursor, ...filters }: DeliveryQuery,
): Promise<DeliveryPage> {
  const { endpointIds: _, ...named } = filters;
  const scope = { list: 'deliveries', accountId: reader.accountId, filters: named };
  const after = cursorId(cursor, scope);
  const until = filters.to === undefined ? highestId : idAt(new Date(filters.to));
  const range: IdRange = {
    before: after !== undefined && after < until ? after : until,
    since: filters.from === undefined ? lowestId : idAt(new Date(filters.from)),
  };
  const found = await searchStatuses(reader, filters, { range, wanted: limit + 1 });
  const rows = await findByIds(reader, found.ids);
  return toPage(rows, { limit, scope, stoppedAt: found.stoppedAt, toItem });
}

const toItem = (row: DeliveryRow): DeliveryPage['data'][number] => ({
  ...deliveryToOutput(row),
  endpointId: row.endpointId,
});

interface Search {
  range: IdRange;
  wanted: number;
}

/** Each status has a search of its own. Their results are one list down to the point to which all of them have searched. */
async function searchStatuses(
  reader: AccountReader,
  { status: filter, ...filters }: Omit<DeliveryQuery, 'limit' | 'cursor'>,
  search: Search,
): Promise<Found> {
  const searches: Found[] = [];
  for (const status of statusesOf(filter)) {
    const found = isWaiting(status)
      ? searchQueue(reader, { ...filters, status }, search)
      : searchHistory(reader, { ...filters, status }, search);
    // One after the other, because a transaction has one connection.
    // oxlint-disable-next-line no-await-in-loop
    searches.push(await found);
  }
  return mergeFound(searches, search.wanted);
}

function statusesOf(filter: StatusFilter | undefined): (DeliveryStatus | undefined)[] {
  if (filter === undefined) return [undefined];
  const given = typeof filter === 'string' ? [filter] : filter;
  return [...new Set(given.flatMap((one) => (one === 'failing' ? (['retrying', 'failure'] as const) : one)))];
}

/** Newest first. A delivery whose status changed between two searches is in both. */
function mergeFound(searches: readonly Found[], wanted: number): Found {
  const ends = searches.flatMap(({ ids, stoppedAt }) =>
    ids.length === wanted ? ids.at(-1)! : (stoppedAt ?? []),
  );
  const stoppedAt = ends.toSorted().at(-1);
  const all = [...new Set(searches.flatMap(({ ids }) => ids))].toSorted().toReversed();
  const ids = all.filter((id) => stoppedAt === undefined || id >= stoppedAt).slice(0, wanted);
  return stoppedAt === undefined || ids.length === wanted ? { ids } : { ids, stoppedAt };
}

const waitingStates = {
  queued: `attempts = 0 and ${isFree}`,
  retrying: `attempts > 0 and ${isFree}`,
  delivering: 'leased_until > now()',
};

type WaitingStatus = keyof typeof waitingStates;

const isWaiting = (status: DeliveryStatus | undefined): status is WaitingStatus =>
  status !== undefined && status in waitingStates;

/** The ids of the newest `wanted` waiting deliveries. They are in the queue, which is much smaller than history. */
async function searchQueue(
  { query, accountId }: AccountReader,
  { status, ...filters }: HistoryFilters & { status: WaitingStatus },
  { range, wanted }: Search,
): Promise<Found> {
  const { eventType, registrationId, responseCode } = filters;
  const endpoints = endpointsOf(filters);
  const { plain, filtered, lastSearched } =
    searchWaiting[status][endpoints === null ? 'ofAccount' : 'ofEndpoints'];
  const values = [accountId, endpoints, range.before, range.since, wanted];
  const conditions = [eventType ?? null, registrationId ?? null, ...codeRange(responseCode)];
  const isFiltered = conditions.some((value) => value !== null);
  const rows = await (isFiltered ? query(filtered, [...values, ...conditions]) : query(plain, values));
  const ids = rows.map((row) => row.id);
  if (!isFiltered || ids.length === wanted) return { ids };
  const [last] = await query(lastSearched, values.slice(0, 4));
  return last ? { ids, stoppedAt: last.id } : { ids };
}

const queueScopes = { ofAccount: '$2::uuid[] is null', ofEndpoints: 'due.endpoint_id = any($2::uuid[])' };

type QueueScope = keyof typeof queueScopes;

// $1 account, $2 endpoints or null, $3 before this id, $4 since this id.
const selectWaiting = (status: WaitingStatus, scope: QueueScope): string => `
  select due.delivery_id as id, due.account_id from deliveries.due
  where due.account_id = $1 and ${queueScopes[scope]} and due.delivery_id < $3 and due.delivery_id >= $4
    and ${waitingStates[status]}
  order by due.delivery_id desc`;

// $6 event type, $7 registration, $8 and $9 the lowest and the highest code of the last answer; null for any.
const conditions = `
  (($6::text is null and $7::uuid is null) or exists (
    select from deliveries.delivery where delivery.id = waiting.id and delivery.account_id = waiting.account_id
      and ($6 is null or event_type = $6) and ($7 is null or registration_id = $7)))
  and ($8::integer is null or (
    select coalesce(response_code, 0) between $8 and $9 from deliveries.attempt
    where attempt.delivery_id = waiting.id and attempt.account_id = waiting.account_id order by number desc limit 1))`;

/** $5 how many are wanted. The second one has a name, so that it is planned once: it may read every partition of deliveries. */
const statementsOf = (status: WaitingStatus, scope: QueueScope) => ({
  plain: statement({
    text: `select id from (${selectWaiting(status, scope)} limit $5) waiting order by id desc`,
    row: { id: column.id },
  }),
  filtered: statement({
    name: `search_queue_${status}_${scope}`,
    text: `
      select id from (${selectWaiting(status, scope)} limit ${searchedMax}) waiting
      where ${conditions} order by id desc limit $5`,
    row: { id: column.id },
  }),
  lastSearched: statement({
    text: `select id from (${selectWaiting(status, scope)} limit 1 offset ${searchedMax - 1}) searched`,
    row: { id: column.id },
  }),
});

const byScope = (status: WaitingStatus) => ({
  ofAccount: statementsOf(status, 'ofAccount'),
  ofEndpoints: statementsOf(status, 'ofEndpoints'),
});

const searchWaiting = {
  queued: byScope('queued'),
  retrying: byScope('retrying'),
  delivering: byScope('delivering'),
};
