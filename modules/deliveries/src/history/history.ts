// What people see of deliveries. Every query filters by the account, so "not yours" and "not there" look the same.
import type { AccountReader } from '@service/database';
import { deliveryErrors } from './errors.ts';
import type { DeliveryDetailOutput, DeliverySummary } from './schemas.ts';
import {
  attemptToOutput,
  deliveryToOutput,
  deliveryToSummary,
  type AttemptRow,
  type DeliveryRow,
} from './to-output.ts';

/** By id; those that are not there, or not yours, are left out. */
export async function findSummaries(
  reader: AccountReader,
  deliveryIds: readonly string[],
): Promise<Map<string, DeliverySummary>> {
  const rows = await findByIds(reader, deliveryIds);
  return new Map(rows.map((row) => [row.id, deliveryToSummary(row)]));
}

/** One delivery with its attempts; with `endpointIds` only if it went to one of them. Throws delivery_not_found. */
export async function getDelivery(
  reader: AccountReader,
  { deliveryId, endpointIds }: { deliveryId: string; endpointIds?: readonly string[] | undefined },
): Promise<DeliveryDetailOutput> {
  const [row] = await findByIds(reader, [deliveryId]);
  if (!row || endpointIds?.includes(row.endpoint_id) === false) throw deliveryErrors.delivery_not_found();
  const attempts = await reader.em.execute<AttemptRow[]>(listAttempts, [
    reader.accountId,
    deliveryId,
    row.attempts,
  ]);
  const [content] = await reader.em.execute<{ url: string | null; body: string }[]>(selectContent, [
    reader.accountId,
    deliveryId,
  ]);
  return { ...deliveryToOutput(row), ...content!, attemptLog: attempts.map(attemptToOutput) };
}

// One statement, so that the queue and the attempts are seen at the same moment. The ids stand in it as literals
// (MikroORM puts them there), for both tables: only their days' partitions are then planned and visited.
const selectByIds = `
  select delivery.id, delivery.endpoint_id, delivery.event_type, delivery.is_refire, delivery.redelivery_of,
    delivery.attempts_max, delivery.created_at, delivery.ended_as, due.due_at, due.leased_until > now() as is_leased,
    coalesce(last.number, 0) as attempts, last.response_code, last.response_snippet, last.failure,
    last.started_at + make_interval(secs => last.duration_ms / 1000.0) as answered_at
  from deliveries.delivery
  left join deliveries.due on due.delivery_id = delivery.id and due.account_id = delivery.account_id
  left join lateral (
    select * from deliveries.attempt
    where attempt.delivery_id = delivery.id and attempt.account_id = delivery.account_id and attempt.delivery_id in (?)
    order by number desc limit 1
  ) last on true
  where delivery.account_id = ? and delivery.id in (?)
  order by delivery.id desc`;

/** Newest first; those that are not there, or not yours, are left out. */
export async function findByIds(
  { em, accountId }: AccountReader,
  ids: readonly string[],
): Promise<DeliveryRow[]> {
  return ids.length === 0 ? [] : em.execute<DeliveryRow[]>(selectByIds, [ids, accountId, ids]);
}

const listAttempts = `
  select number, url, started_at, duration_ms, response_code, response_snippet, failure, failure_message
  from deliveries.attempt where account_id = ? and delivery_id = ? and number <= ? order by number`;

const selectContent = `
  select endpoint.url, delivery.body
  from deliveries.delivery
  left join deliveries.endpoint on endpoint.id = delivery.endpoint_id and endpoint.account_id = delivery.account_id
  where delivery.account_id = ? and delivery.id = ?`;
