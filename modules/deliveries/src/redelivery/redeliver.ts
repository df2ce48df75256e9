import {
  column,
  createId,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
} from '@service/database';
import { deliveryErrors } from '../errors.ts';
import { joinBody, joinedBody, lowestBodyId } from '../history/body.ts';
import { findByIds } from '../history/history.ts';
import { deliveryToSummary, type DeliveryRow } from '../history/delivery-to-output.ts';
import { isFree } from '../is-free.ts';
import { insertDrafts, type EnqueueOptions } from '../queue/enqueue.ts';
import type { DeliveryStatus } from '../schemas.ts';
import { requireRoom } from '../usage/quota.ts';
import { subtractWaiting } from '../usage/delivery-usage.ts';

/** Makes the body of a redelivery from the body that was sent. */
export type Refire = (body: string, at: Date) => string;

export interface RedeliveryInput {
  deliveryId: string;
  /** A delivery to another endpoint is not found. */
  endpointId: string;
  /** The dashboard: refuses deliveries that have neither failed nor wait for a retry. */
  isRefire?: boolean;
}

export interface Redelivery {
  /** The new delivery. */
  id: string;
  /** The first delivery of the same message. */
  redeliveryOf: string;
}

interface RedeliveryOptions extends EnqueueOptions {
  refire: Refire;
}

// Without a name, like the other statements on deliveries, so that only the partitions of its ids are planned.
const selectContent = statement({
  text: `
    select ${joinedBody} as body, is_test, registration_id, coalesce(redelivery_of, delivery.id) as first_id
    from deliveries.delivery ${joinBody('$3', '$2')}
    where delivery.account_id = $1 and delivery.id = $2`,
  row: {
    // Null when retention has deleted the body.
    body: nullable(column.text),
    is_test: column.boolean,
    registration_id: nullable(column.id),
    first_id: column.id,
  },
});

/**
 * Queues a new delivery with the body of another one. A finished delivery does not change. A waiting one ends as cancelled and
 * names the new one, so that its message is not sent twice. Throws delivery_not_found, delivery_in_flight, delivery_replaced,
 * delivery_backlog_full, and with `isRefire` delivery_not_failed.
 */
export async function redeliver(
  tx: AccountWriter,
  { deliveryId, endpointId, isRefire = false }: RedeliveryInput,
  { refire, ...options }: RedeliveryOptions,
): Promise<Redelivery> {
  const [row] = await findByIds(tx, [deliveryId]);
  if (row?.endpoint_id !== endpointId) throw deliveryErrors.delivery_not_found();
  refuse(row, isRefire);
  await requireRoom(tx, options.quota);
  const id = createId();
  if (row.is_waiting) await replace(tx, deliveryId, id);
  const [content] = await tx.query(selectContent, [tx.accountId, deliveryId, lowestBodyId(deliveryId)]);
  const { body, is_test: isTest, registration_id: registrationId, first_id: redeliveryOf } = content!;
  if (body === null) throw deliveryErrors.delivery_not_found();
  const draft = {
    id,
    endpointId,
    eventType: row.event_type,
    body: refire(body, tx.now),
    isRefire: true,
    isTest,
    redeliveryOf,
    registrationId: registrationId ?? undefined,
  };
  insertDrafts(tx, [draft], options);
  return { id, redeliveryOf };
}

const refireable: ReadonlySet<DeliveryStatus> = new Set(['failure', 'retrying']);

function refuse(row: DeliveryRow, isRefire: boolean): void {
  const { status } = deliveryToSummary(row);
  if (status === 'delivering') throw deliveryErrors.delivery_in_flight();
  if (row.replaced_by !== null) throw deliveryErrors.delivery_replaced();
  if (isRefire && !refireable.has(status)) throw deliveryErrors.delivery_not_failed();
}

/**
 * Takes a delivery out of the queue and ends it. The row of the queue decides a race: a worker that claims it first makes this
 * call fail, and of two calls only one finds the row.
 */
async function replace(tx: AccountWriter, deliveryId: string, newId: string): Promise<void> {
  const replaced = await tx.query(endReplaced, [tx.accountId, deliveryId, newId]);
  if (replaced.length > 0) return;
  const [row] = await findByIds(tx, [deliveryId]);
  if (row?.replaced_by) throw deliveryErrors.delivery_replaced();
  throw deliveryErrors.delivery_in_flight();
}

const endReplaced = statement({
  text: `
    with taken as (
      delete from deliveries.due
      where account_id = $1 and delivery_id = $2 and ${isFree}
      returning delivery_id, account_id
    ), ${subtractWaiting('taken')}
    update deliveries.delivery set ended_as = 'cancelled', replaced_by = $3
    from taken where delivery.account_id = $1 and delivery.id = $2 and delivery.id = taken.delivery_id
    returning delivery.id`,
  row: { id: column.id },
});

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
