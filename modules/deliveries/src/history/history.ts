// Reads deliveries for people. Every query has a condition on the account, so a delivery of another account is not found.
import { column, idTime, nullable, statement, type AccountReader } from '@service/database';
import { deliveryErrors } from '../errors.ts';
import type { DeliveryDetail, DeliverySummary } from '../schemas.ts';
import { joinBody, joinedBody, lowestBodyId } from './body.ts';
import {
  attemptColumns,
  attemptToOutput,
  deliveryColumns,
  deliveryToOutput,
  deliveryToSummary,
  type DeliveryRow,
} from './delivery-to-output.ts';

/** By id. Deliveries that do not exist or belong to another account are left out. */
export async function findSummaries(
  reader: AccountReader,
  deliveryIds: readonly string[],
): Promise<Map<string, DeliverySummary>> {
  const rows = await findByIds(reader, deliveryIds);
  return new Map(rows.map((row) => [row.id, deliveryToSummary(row)]));
}

/** One delivery with its attempts. With `endpointIds`, only a delivery to one of them. Throws delivery_not_found. */
export async function getDelivery(
  reader: AccountReader,
  { deliveryId, endpointIds }: { deliveryId: string; endpointIds?: readonly string[] | undefined },
): Promise<DeliveryDetail> {
  const [row] = await findByIds(reader, [deliveryId]);
  if (!row || endpointIds?.includes(row.endpoint_id) === false) throw deliveryErrors.delivery_not_found();
  const { query, accountId } = reader;
  const attempts = await query(listAttempts, [accountId, deliveryId, row.attempts]);
  const [content] = await query(selectContent, [accountId, deliveryId, lowestBodyId(deliveryId)]);
  return {
    ...deliveryToOutput(row),
    ...content!,
    attemptLog: attempts.map((attempt) => attemptToOutput(deliveryId, attempt)),
  };
}

// One statement, so that queue and attempts are read from the same snapshot.
// $1 account, $2 ids.
const selectByIds = (deliveryCondition = '', attemptCondition = ''): string => `
  select delivery.id, delivery.endpoint_id, delivery.event_type, delivery.is_refire, delivery.is_test,
    delivery.redelivery_of, delivery.replaced_by, delivery.registration_id, delivery.attempts_max, delivery.created_at,
    delivery.ended_as, due.tries,
    due.delivery_id is not null as is_waiting, due.leased_until > now() as is_leased,
    case when due.due_at = 'infinity' then health.probe_at else due.due_at end as due_at,
    coalesce(last.number, 0) as attempts, last.response_code, last.response_snippet,
    coalesce(last.failure, delivery.failure) as failure, last.duration_ms,
    last.started_at + make_interval(secs => last.duration_ms / 1000.0) as answered_at
  from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select * from deliveries.delivery
    where delivery.id = wanted.id and delivery.account_id = $1 ${deliveryCondition}
    limit 1
  ) delivery
  left join deliveries.due on due.delivery_id = delivery.id and due.account_id = delivery.account_id
  left join deliveries.endpoint_health health
    on due.due_at = 'infinity' and health.endpoint_id = due.endpoint_id and health.account_id = due.account_id
  left join lateral (
    select * from deliveries.attempt
    where attempt.delivery_id = delivery.id and attempt.account_id = delivery.account_id ${attemptCondition}
    order by number desc limit 1
  ) last on true
  order by delivery.id desc`;

/** For ids of few days: $3 and $4, the lowest and the highest id, keep the partitions of other days out of the plan. */
const selectNear = statement({
  text: selectByIds('and delivery.id between $3 and $4', 'and attempt.delivery_id between $3 and $4'),
  row: deliveryColumns,
});

/** For ids of any days: a connection plans all partitions once, and reads only those of the ids. */
const selectAnywhere = statement({ name: 'find_deliveries', text: selectByIds(), row: deliveryColumns });

const nearMs = 7 * 86_400_000;

/** Newest first. Deliveries that do not exist or belong to another account are left out. */
export async function findByIds(
  { query, accountId }: AccountReader,
  ids: readonly string[],
): Promise<DeliveryRow[]> {
  const sorted = ids.toSorted();
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined) return [];
  return idTime(highest).getTime() - idTime(lowest).getTime() <= nearMs
    ? query(selectNear, [accountId, ids, lowest, highest])
    : query(selectAnywhere, [accountId, ids]);
}

// These have no name, so that only the partition of the delivery's day is planned.
const listAttempts = statement({
  text: `
    select number, url, started_at, duration_ms, response_code, response_snippet, failure, failure_message, dns_ms,
      connect_ms, tls_ms, first_byte_ms, redirects, signature, standard_signature, response_headers
    from deliveries.attempt where account_id = $1 and delivery_id = $2 and number <= $3 order by number`,
  row: attemptColumns,
});

/** The body is empty when retention has deleted it and not yet the delivery. */
const selectContent = statement({
  text: `
    select endpoint.url, coalesce(${joinedBody}, '') as body
    from deliveries.delivery ${joinBody('$3', '$2')}
    left join deliveries.endpoint on endpoint.id = delivery.endpoint_id and endpoint.account_id = delivery.account_id
    where delivery.account_id = $1 and delivery.id = $2`,
  row: { url: nullable(column.text), body: column.text },
});
