// Lists of an endpoint's deliveries. The number of deliveries searched is bounded, however long history is.
import { column, idAt, statement, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { findByIds } from './history.ts';
import type { DeliveryOutput, DeliveryStatus } from '../schemas.ts';
import { searchHistory, type HistoryFilters, type IdRange } from './search-history.ts';
import { deliveryToOutput } from './to-output.ts';

export interface DeliveryQuery extends HistoryFilters {
  limit: number;
  cursor?: string | undefined;
  /** ISO 8601: made at this time or later. */
  from?: string | undefined;
  /** ISO 8601: made before this time. */
  to?: string | undefined;
}

export interface DeliveryPage {
  data: DeliveryOutput[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Newest first. When few deliveries match, a page may be short or empty and still have a next page. A cursor is valid for one
 * endpoint and one set of filters.
 */
export async function listDeliveries(
  reader: AccountReader,
  { limit, cursor, ...filters }: DeliveryQuery,
): Promise<DeliveryPage> {
  const scope = { list: 'deliveries', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const until = filters.to === undefined ? highestId : idAt(new Date(filters.to));
  const range: IdRange = {
    before: after !== undefined && after < until ? after : until,
    since: filters.from === undefined ? lowestId : idAt(new Date(filters.from)),
  };
  const { status } = filters;
  const search = { range, wanted: limit + 1 };
  const found = isWaiting(status)
    ? { ids: await searchQueue(reader, { ...filters, status }, search) }
    : await searchHistory(reader, filters, search);
  const rows = await findByIds(reader, found.ids);
  return toPage(rows, { limit, scope, stoppedAt: found.stoppedAt, toItem: deliveryToOutput });
}

const waitingStates = {
  queued: 'attempts = 0 and (leased_until is null or leased_until <= now())',
  retrying: 'attempts > 0 and (leased_until is null or leased_until <= now())',
  delivering: 'leased_until > now()',
};

type WaitingStatus = keyof typeof waitingStates;

const isWaiting = (status: DeliveryStatus | undefined): status is WaitingStatus =>
  status !== undefined && status in waitingStates;

/** The ids of the newest `wanted` waiting deliveries. They are in the queue, which is much smaller than history. */
async function searchQueue(
  { query, accountId }: AccountReader,
  { endpointId, eventType, status }: HistoryFilters & { status: WaitingStatus },
  { range, wanted }: { range: IdRange; wanted: number },
): Promise<string[]> {
  const values = [accountId, endpointId, range.before, range.since, wanted];
  const { ofAnyType, ofType } = searchWaiting[status];
  const rows = await (eventType === undefined
    ? query(ofAnyType, values)
    : query(ofType, [...values, eventType]));
  return rows.map((row) => row.id);
}

// $1 account, $2 endpoint, $3 before this id, $4 since this id, $5 how many are wanted, $6 event type.
const selectWaiting = (status: WaitingStatus, andOfType = ''): string => `
  select due.delivery_id as id from deliveries.due
  where due.account_id = $1 and due.endpoint_id = $2 and due.delivery_id < $3 and due.delivery_id >= $4
    and ${waitingStates[status]} ${andOfType}
  order by due.delivery_id desc limit $5`;

const isOfType = `and (select event_type from deliveries.delivery
          where delivery.id = due.delivery_id and delivery.account_id = due.account_id) = $6`;

/** The second one has a name, so that it is planned once: it may read every partition of deliveries. */
const statementsOf = (status: WaitingStatus) => ({
  ofAnyType: statement({ text: selectWaiting(status), row: { id: column.id } }),
  ofType: statement({
    name: `search_queue_${status}_of_type`,
    text: selectWaiting(status, isOfType),
    row: { id: column.id },
  }),
});

const searchWaiting = {
  queued: statementsOf('queued'),
  retrying: statementsOf('retrying'),
  delivering: statementsOf('delivering'),
};
