import type { AccountReader } from '@service/database';
import type { DeliveryStatus } from '../schemas.ts';
import type { HistoryFilters, IdRange } from './search-history.ts';

const waitingStates = {
  queued: 'attempts = 0 and (leased_until is null or leased_until <= now())',
  retrying: 'attempts > 0 and (leased_until is null or leased_until <= now())',
  delivering: 'leased_until > now()',
};

export type WaitingStatus = keyof typeof waitingStates;

export const isWaiting = (status: DeliveryStatus | undefined): status is WaitingStatus =>
  status !== undefined && status in waitingStates;

/** The ids of the newest `wanted` that wait. What waits is in the queue, which is small beside history. */
export async function searchQueue(
  { query, accountId }: AccountReader,
  { endpointId, eventType, status }: HistoryFilters & { status: WaitingStatus },
  { range, wanted }: { range: IdRange; wanted: number },
): Promise<string[]> {
  const values = [accountId, endpointId, range.before, range.since, wanted];
  const rows = await (eventType === undefined
    ? query<{ id: string }>({ text: searchWaiting(status) }, values)
    : query<{ id: string }>(searchWaitingOfType(status), [...values, eventType]));
  return rows.map((row) => row.id);
}

// $1 account, $2 endpoint, $3 before this id, $4 since this id, $5 how many are wanted.
const searchWaiting = (status: WaitingStatus, andOfType = ''): string => `
  select due.delivery_id as id from deliveries.due
  where due.account_id = $1 and due.endpoint_id = $2 and due.delivery_id < $3 and due.delivery_id >= $4
    and ${waitingStates[status]} ${andOfType}
  order by due.delivery_id desc limit $5`;

/** Named, and so planned once: it may look into every partition of deliveries. $6 event type. */
const searchWaitingOfType = (status: WaitingStatus) => ({
  name: `search_queue_${status}_of_type`,
  text: searchWaiting(
    status,
    `and (select event_type from deliveries.delivery
          where delivery.id = due.delivery_id and delivery.account_id = due.account_id) = $6`,
  ),
});
