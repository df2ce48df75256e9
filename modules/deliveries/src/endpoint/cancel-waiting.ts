// Cancels what waits for an endpoint that is switched off or deleted. 300,000 deliveries took 15 s in one statement, and a
// statement may take 30 s. So the call cancels the first ones, and workers the others.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { column, idTime, nullable, statement } from '@service/database';
import type { AccountWriter, Database, Transaction } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { subtractWaiting } from '../account/delivery-usage.ts';
import { isFree } from '../due.ts';
import { EndpointHealth } from './endpoint.ts';

/** An endpoint that was switched off or deleted, and whose waiting deliveries workers cancel. */
export const Cancellation = defineEntity({
  name: 'Cancellation',
  tableName: 'cancellation',
  schema: 'deliveries',
  properties: {
    accountId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
  },
});

/** Waiting deliveries that switching an endpoint off cancels. */
export const CancelledDeliveriesOutput = z
  .object({
    count: z.int().describe('Deliveries that waited. Those in flight are not counted.'),
    isCountCapped: z.boolean().describe('True when there may be more. Counting ends after 100,000.'),
    oldestCreatedAt: instant()
      .nullable()
      .describe('Creation time of the oldest of them. Null when none waited.'),
  })
  .meta({
    id: 'CancelledDeliveries',
    examples: [{ count: 34, isCountCapped: false, oldestCreatedAt: '2026-11-20T09:00:00.000Z' }],
  });

export type CancelledDeliveriesOutput = z.infer<typeof CancelledDeliveriesOutput>;

/** Counting ends after this many deliveries. */
const countedMax = 100_000;

/** Deliveries that one step cancels. */
const batchMax = 5000;

/** Steps of one call, over all endpoints. */
const stepsMax = 4;

/** Id of no endpoint: the next claim of a delivery to it cancels the delivery. */
export const noEndpoint = '00000000-0000-0000-0000-000000000000';

/** Counts what `cancelWaiting` cancels. */
export async function countCancellable(
  { query, accountId }: AccountWriter,
  endpointId: string,
): Promise<CancelledDeliveriesOutput> {
  const [counted] = await query(countUnclaimed, [accountId, endpointId]);
  const { count, oldestId } = counted!;
  const oldestCreatedAt = oldestId === null ? null : idTime(oldestId).toISOString();
  return { count, isCountCapped: count === countedMax, oldestCreatedAt };
}

/** $1 account, $2 endpoint. */
const countUnclaimed = statement({
  text: `
    select count(*)::integer as count, min(delivery_id::text)::uuid as "oldestId" from (
      select delivery_id from deliveries.due
      where account_id = $1 and endpoint_id = $2 and ${isFree} limit ${countedMax}) waiting`,
  row: { count: column.integer, oldestId: nullable(column.id) },
});

/** Cancels the first deliveries that wait for an endpoint, and leaves the others to `advanceCancellations`. */
export async function cancelWaiting(tx: AccountWriter, endpointId: string): Promise<void> {
  const { em, query, accountId } = tx;
  await em.nativeDelete(EndpointHealth, { endpointId, accountId });
  const [cancelled] = await query(cancelUnclaimed, [accountId, endpointId, batchMax]);
  const hasMore = cancelled!.count === batchMax;
  if (hasMore) await query(startCancellations, [accountId, [endpointId]]);
  await query(detachClaimed, [accountId, endpointId, noEndpoint, hasMore]);
}

/** Leaves all that waits for endpoints to `advanceCancellations`. Nothing is sent meanwhile if the endpoints were deleted. */
export async function cancelLater(
  { em, query, accountId }: AccountWriter,
  endpointIds: readonly string[],
): Promise<void> {
  await em.nativeDelete(EndpointHealth, { endpointId: { $in: [...endpointIds] }, accountId });
  await query(startCancellations, [accountId, endpointIds]);
}

/**
 * Cancels all that workers have not cancelled yet, however many, because an endpoint that is switched on again sends new deliveries
 * only.
 */
export async function finishCancellation(
  { query, accountId }: AccountWriter,
  endpointId: string,
): Promise<void> {
  const ended = await query(endCancellation, [accountId, endpointId]);
  if (ended.length === 0) return;
  await query(cancelUnclaimed, [accountId, endpointId, null]);
  await query(detachClaimed, [accountId, endpointId, noEndpoint, false]);
}

/** Cancels what waits for endpoints that were switched off or deleted, one step at a time. Any number of workers may call it. */
export async function advanceCancellations(
  database: Pick<Database, 'transaction'>,
  { onChanged }: { onChanged: (accountId: string, what: 'endpoints') => void },
): Promise<void> {
  const advance = async (tx: Transaction): Promise<boolean> => {
    const [next] = await tx.query(lockNextCancellation, []);
    if (!next) return false;
    const key = [next.accountId, next.endpointId];
    const [cancelled] = await tx.query(cancelUnclaimed, [...key, batchMax]);
    const hasMore = cancelled!.count === batchMax;
    if (!hasMore) await tx.query(endCancellation, key);
    await tx.query(detachClaimed, [...key, noEndpoint, hasMore]);
    tx.afterCommit(() => onChanged(next.accountId, 'endpoints'));
    return true;
  };
  for (let step = 0; step < stepsMax; step += 1) {
    if (!(await database.transaction(advance))) return;
  }
}

/** $1 account, $2 endpoint, $3 the most deliveries, or null. Without a name, so that it is planned for the current queue. */
const cancelUnclaimed = statement({
  text: `
    with waiting as materialized (
      select delivery_id, account_id from deliveries.due
      where account_id = $1 and endpoint_id = $2 and ${isFree}
      order by due_at, delivery_id limit $3 for update
    ), ${subtractWaiting('waiting')}, removed as (
      delete from deliveries.due using waiting where due.delivery_id = waiting.delivery_id and due.account_id = $1
    ), ended as (
      update deliveries.delivery set ended_as = 'cancelled'
      from waiting where delivery.id = waiting.delivery_id and delivery.account_id = $1
    )
    select count(*)::integer as count from waiting`,
  row: { count: column.integer },
});

// A claimed delivery stays with its worker: the attempt is recorded, and if it fails the next claim cancels the delivery. Rows
// whose result is being written now are skipped, because waiting for them could be a deadlock. With $4 only claimed ones: the
// others are cancelled in steps.
const detachClaimed = statement({
  text: `
    update deliveries.due set endpoint_id = $3
    where account_id = $1 and delivery_id in (
      select delivery_id from deliveries.due
      where account_id = $1 and endpoint_id = $2 and not ($4 and ${isFree}) for update skip locked
    )`,
});

/** $1 account, $2 endpoints. */
const startCancellations = statement({
  text: `
    insert into deliveries.cancellation (account_id, endpoint_id)
    select $1, ended.id from unnest($2::uuid[]) as ended (id)
    where exists (select from deliveries.due where account_id = $1 and endpoint_id = ended.id)
    on conflict (account_id, endpoint_id) do nothing`,
});

/** $1 account, $2 endpoint. */
const endCancellation = statement({
  text: `
    delete from deliveries.cancellation where account_id = $1 and endpoint_id = $2
    returning endpoint_id`,
  row: { endpoint_id: column.id },
});

const lockNextCancellation = statement({
  text: `
    select account_id as "accountId", endpoint_id as "endpointId" from deliveries.cancellation
    order by account_id, endpoint_id limit 1 for update skip locked`,
  allAccounts: 'Workers cancel deliveries of every account.',
  row: { accountId: column.id, endpointId: column.id },
});
