import { column, createId, nullable, statement } from '@service/database';
import type { AccountReader, AccountWriter } from '@service/database';
import { subtractWaiting } from '../account/delivery-usage.ts';
import { requireRoom } from '../account/quota.ts';
import { joinBody, joinedBody, lowestBodyId } from '../delivery.ts';
import { isFree } from '../due.ts';
import { deliveryErrors } from '../errors.ts';
import { deliveryToSummary, findByIds, type DeliveryRow } from '../history/history.ts';
import { insertDrafts, type EnqueueOptions } from '../queue/enqueue.ts';
import type { DeliveryStatus } from '../schemas.ts';

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

/**
 * Queues a new delivery with the body of another one. A finished delivery does not change. A waiting one ends as cancelled and
 * names the new one, so that its message is not sent twice. Throws delivery_not_found, delivery_in_flight, delivery_replaced,
 * delivery_body_deleted, delivery_backlog_full, and with `isRefire` delivery_not_failed.
 */
export async function redeliver(
  tx: AccountWriter,
  { deliveryId, endpointId, isRefire = false }: RedeliveryInput,
  { refire, ...options }: RedeliveryOptions,
): Promise<Redelivery> {
  const [row] = await findByIds(tx, [deliveryId]);
  if (row?.endpointId !== endpointId) throw deliveryErrors.delivery_not_found();
  refuse(row, isRefire);
  await requireRoom(tx, options.quota);
  const id = createId();
  if (row.isWaiting) await replace(tx, deliveryId, id);
  const [draft] = await draftRedeliveries(tx, { endpointId, ids: [deliveryId] }, refire);
  if (!draft) throw deliveryErrors.delivery_body_deleted();
  insertDrafts(tx, [{ ...draft, id }], options);
  return { id, redeliveryOf: draft.redeliveryOf };
}

/** The redeliveries of deliveries in the order of their ids, without those whose body was deleted by retention. */
export async function draftRedeliveries(
  { query, accountId, now }: Pick<AccountWriter, 'query' | 'accountId' | 'now'>,
  { endpointId, ids }: { endpointId: string; ids: readonly string[] },
  refire: Refire,
) {
  const [lowest, highest] = [ids[0], ids.at(-1)];
  if (lowest === undefined) return [];
  const contents = await query(selectContents, [accountId, ids, lowest, highest, lowestBodyId(lowest)]);
  return contents.map(({ body, registrationId, ...content }) => ({
    ...content,
    endpointId,
    body: refire(body, now),
    isRefire: true,
    registrationId: registrationId ?? undefined,
  }));
}

/**
 * $1 account, $2 delivery ids, $3 the lowest and $4 the highest of them and $5 the lowest id of a body, which keep the partitions of
 * other days out of the plan. Without a name, so that only the partitions of the ids are planned.
 */
const selectContents = statement({
  text: `
    select event_type as "eventType", ${joinedBody} as body, is_test as "isTest", registration_id as "registrationId",
      coalesce(redelivery_of, delivery.id) as "redeliveryOf"
    from deliveries.delivery ${joinBody('$5', '$4')}
    where delivery.account_id = $1 and delivery.id = any($2::uuid[]) and delivery.id between $3 and $4
      and ${joinedBody} is not null
    order by delivery.id`,
  row: {
    eventType: column.text,
    body: column.text,
    isTest: column.boolean,
    registrationId: nullable(column.id),
    redeliveryOf: column.id,
  },
});

/** By default an attempt ends after 10 s at the latest. Most end sooner. */
const inFlight = () => deliveryErrors.delivery_in_flight({ retryAfterSeconds: 5 });

const refireable: ReadonlySet<DeliveryStatus> = new Set(['failure', 'retrying']);

function refuse(row: DeliveryRow, isRefire: boolean): void {
  const { status } = deliveryToSummary(row);
  if (status === 'delivering') throw inFlight();
  if (row.replacedBy !== null) throw deliveryErrors.delivery_replaced();
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
  if (row?.replacedBy) throw deliveryErrors.delivery_replaced();
  throw inFlight();
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
