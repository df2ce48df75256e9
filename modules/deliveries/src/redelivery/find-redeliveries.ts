import type { AccountReader } from '@service/database';
import { deliveryErrors } from '../errors.ts';

/** Redeliveries that one look finds; a delivery has a handful. */
const redeliveriesMax = 2000;

const selectRedeliveries = {
  text: `
    select id, redelivery_of as "redeliveryOf" from deliveries.delivery
    where account_id = $1 and redelivery_of = any($2::uuid[]) and id > $3
    order by id limit ${redeliveriesMax}`,
};

/** Every delivery that repeats one of these, oldest first. */
export async function findRedeliveries(
  { query, accountId }: AccountReader,
  deliveryIds: readonly string[],
): Promise<{ id: string; redeliveryOf: string }[]> {
  if (deliveryIds.length === 0) return [];
  // Nothing is repeated before it was made, and that leaves older days' partitions alone.
  const [oldestId] = deliveryIds.toSorted();
  return query(selectRedeliveries, [accountId, [...deliveryIds], oldestId]);
}

const selectEndpointId = {
  text: `select endpoint_id from deliveries.delivery where account_id = $1 and id = $2`,
};

/** Where a delivery went, for somebody who knows whose endpoint that is. Throws delivery_not_found. */
export async function findEndpointId(
  { query, accountId }: AccountReader,
  deliveryId: string,
): Promise<string> {
  const [row] = await query<{ endpoint_id: string }>(selectEndpointId, [accountId, deliveryId]);
  if (!row) throw deliveryErrors.delivery_not_found();
  return row.endpoint_id;
}
