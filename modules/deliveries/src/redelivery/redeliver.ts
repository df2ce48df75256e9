import { column, statement, type AccountReader, type AccountWriter } from '@service/database';
import { deliveryErrors } from '../errors.ts';
import { findByIds } from '../history/history.ts';
import { deliveryToSummary } from '../history/to-output.ts';
import { insertDrafts } from '../queue/enqueue.ts';

/** Makes the body of a redelivery from the body that was sent. */
export type Refire = (body: string, at: Date) => string;

export interface RedeliveryInput {
  deliveryId: string;
  /** A delivery to another endpoint is not found. */
  endpointId: string;
  /** Refuses deliveries that succeeded or were cancelled. */
  onlyFailed?: boolean;
}

export interface Redelivery {
  /** The new delivery. */
  id: string;
  /** The first delivery of the same message. */
  redeliveryOf: string;
}

interface RedeliveryOptions {
  refire: Refire;
  scheduleSeconds: readonly number[];
}

// Without a name, like the other statements on deliveries, so that only the partitions of its ids are planned.
const selectContent = statement({
  text: `
    select body, is_test, coalesce(redelivery_of, id) as first_id from deliveries.delivery
    where account_id = $1 and id = $2`,
  row: { body: column.text, is_test: column.boolean, first_id: column.id },
});

/** Queues a new delivery with the body of a finished one. The finished delivery does not change. */
export async function redeliver(
  tx: AccountWriter,
  { deliveryId, endpointId, onlyFailed = false }: RedeliveryInput,
  { refire, scheduleSeconds }: RedeliveryOptions,
): Promise<Redelivery> {
  const [row] = await findByIds(tx, [deliveryId]);
  if (row?.endpoint_id !== endpointId) throw deliveryErrors.delivery_not_found();
  if (row.is_waiting) throw deliveryErrors.delivery_still_waiting();
  if (onlyFailed && deliveryToSummary(row).status !== 'failure') throw deliveryErrors.delivery_not_failed();
  const [content] = await tx.query(selectContent, [tx.accountId, deliveryId]);
  const { body, is_test: isTest, first_id: redeliveryOf } = content!;
  const draft = {
    endpointId,
    eventType: row.event_type,
    body: refire(body, tx.now),
    isRefire: true,
    isTest,
    redeliveryOf,
  };
  const [id] = insertDrafts(tx, [draft], scheduleSeconds);
  return { id: id!, redeliveryOf };
}

/** A delivery has few redeliveries; one query returns at most this many. */
const redeliveriesMax = 2000;

const selectRedeliveries = statement({
  text: `
    select id, redelivery_of as "redeliveryOf" from deliveries.delivery
    where account_id = $1 and redelivery_of = any($2::uuid[]) and id > $3
    order by id limit ${redeliveriesMax}`,
  row: { id: column.id, redeliveryOf: column.id },
});

/** All redeliveries of these deliveries, oldest first. */
export async function findRedeliveries(
  { query, accountId }: AccountReader,
  deliveryIds: readonly string[],
): Promise<{ id: string; redeliveryOf: string }[]> {
  if (deliveryIds.length === 0) return [];
  // A redelivery is younger than its delivery, so the partitions of older days are not searched.
  const [oldestId] = deliveryIds.toSorted();
  return query(selectRedeliveries, [accountId, [...deliveryIds], oldestId]);
}

const selectEndpointId = statement({
  text: `select endpoint_id from deliveries.delivery where account_id = $1 and id = $2`,
  row: { endpoint_id: column.id },
});

/** The endpoint of a delivery. Throws delivery_not_found. */
export async function findEndpointId(
  { query, accountId }: AccountReader,
  deliveryId: string,
): Promise<string> {
  const [row] = await query(selectEndpointId, [accountId, deliveryId]);
  if (!row) throw deliveryErrors.delivery_not_found();
  return row.endpoint_id;
}
