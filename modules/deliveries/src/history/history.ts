// Reads deliveries for people. Every query has a condition on the account, so a delivery of another account is not found.
import type { DeliveryFailure, FailureReason } from '@service/catalogue';
import { column, idAt, idTime, nullable, selectList, statement } from '@service/database';
import type { AccountReader, RowWith } from '@service/database';
import type { z } from 'zod';
import { joinBody, joinedBody, lowestBodyId } from '../delivery.ts';
import { deliveryErrors } from '../errors.ts';
import type {
  AttemptOutput,
  DeliveryDetail,
  DeliveryOutput,
  DeliveryStatus,
  DeliverySummary,
} from '../schemas.ts';
import { requestHeaders } from '../send/attempt.ts';
import { fillJoinUrls, type FindJoinUrls } from '../send/join-url.ts';

/** By id. Deliveries that do not exist or belong to another account are left out. */
export async function findSummaries(
  reader: AccountReader,
  deliveryIds: readonly string[],
): Promise<Map<string, DeliverySummary & { endpointId: string }>> {
  const rows = await findByIds(reader, deliveryIds);
  return new Map(rows.map((row) => [row.id, { ...deliveryToSummary(row), endpointId: row.endpointId }]));
}

export interface DeliveryKey {
  deliveryId: string;
  endpointIds?: readonly string[] | undefined;
}

/**
 * One delivery with its attempts. The body has the present join link, also if another one was sent. With `endpointIds`, only a delivery to
 * one of them. Throws delivery_not_found.
 */
export async function getDelivery(
  reader: AccountReader,
  { deliveryId, endpointIds }: DeliveryKey,
  findJoinUrls: FindJoinUrls,
): Promise<DeliveryDetail> {
  const [row] = await findByIds(reader, [deliveryId]);
  if (!row || endpointIds?.includes(row.endpointId) === false) throw deliveryErrors.delivery_not_found();
  const { query, accountId } = reader;
  const attempts = await query(listAttempts, [accountId, deliveryId, row.attempts]);
  const [found] = await query(selectContent, [accountId, deliveryId, lowestBodyId(deliveryId)]);
  const content = { accountId, registrationId: row.registrationId, body: found!.body };
  await fillJoinUrls(findJoinUrls, [content]);
  return {
    ...deliveryToOutput(row),
    url: found!.url,
    body: content.body,
    attemptLog: attempts.map((attempt) => attemptToOutput(deliveryId, attempt)),
  };
}

/** A delivery with its row of the queue and its last attempt. */
const deliveryColumns = {
  id: column.id,
  endpointId: column.id,
  eventType: column.text,
  isRefire: column.boolean,
  isTest: column.boolean,
  redeliveryOf: nullable(column.id),
  replacedBy: nullable(column.id),
  registrationId: nullable(column.id),
  attemptsMax: column.integer,
  createdAt: column.time,
  endedAs: nullable(column.textOf<'failure' | 'cancelled'>()),
  isWaiting: column.boolean,
  // The time of the next try. This and the next two are null when the delivery does not wait.
  dueAt: nullable(column.time),
  // Tries spent so far.
  tries: nullable(column.integer),
  // True while a worker has leased it.
  isLeased: nullable(column.boolean),
  attempts: column.integer,
  // This and the next three are null before the first attempt.
  answeredAt: nullable(column.time),
  durationMs: nullable(column.integer),
  responseCode: nullable(column.integer),
  responseSnippet: nullable(column.text),
  // Of the last attempt, or the reason why there was none.
  failure: nullable(column.textOf<FailureReason>()),
};

export type DeliveryRow = RowWith<typeof deliveryColumns>;

const attemptColumns = {
  number: column.integer,
  url: column.text,
  startedAt: column.time,
  durationMs: column.integer,
  responseCode: nullable(column.integer),
  responseSnippet: nullable(column.text),
  failure: nullable(column.textOf<DeliveryFailure>()),
  failureMessage: nullable(column.text),
  dnsMs: nullable(column.integer),
  connectMs: nullable(column.integer),
  tlsMs: nullable(column.integer),
  firstByteMs: nullable(column.integer),
  redirects: nullable(column.texts),
  responseHeaders: nullable(column.text),
  // This and the next are null for attempts made before signatures were kept.
  signature: nullable(column.text),
  standardSignature: nullable(column.text),
};

type AttemptRow = RowWith<typeof attemptColumns>;

// One statement, so that queue and attempts are read from the same snapshot.
// $1 account, $2 ids.
const selectByIds = (deliveryCondition = '', attemptCondition = ''): string => `
  select ${selectList(deliveryColumns, {
    of: 'delivery',
    others: {
      isWaiting: 'due.delivery_id is not null',
      isLeased: 'due.leased_until > now()',
      dueAt: `case when due.due_at = 'infinity' then health.probe_at else due.due_at end`,
      tries: 'due.tries',
      attempts: 'coalesce(last.number, 0)',
      answeredAt: 'last.started_at + make_interval(secs => last.duration_ms / 1000.0)',
      durationMs: 'last.duration_ms',
      responseCode: 'last.response_code',
      responseSnippet: 'last.response_snippet',
      failure: 'coalesce(last.failure, delivery.failure)',
    },
  })}
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
    select ${selectList(attemptColumns)}
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

const recentMs = 2 * 86_400_000;

/**
 * The newest delivery of each endpoint. First those of the last two days are read, because a statement costs planning time for every
 * partition within its bounds, then those of endpoints without a recent one.
 */
export async function findNewest(
  reader: AccountReader,
  endpointIds: readonly string[],
): Promise<Map<string, DeliveryOutput>> {
  if (endpointIds.length === 0) return new Map();
  const { query, accountId, now } = reader;
  const since = idAt(new Date(now.getTime() - recentMs));
  const recent = await query(selectRecent, [accountId, endpointIds, since]);
  const found = new Set(recent.map(({ endpointId }) => endpointId));
  const others = endpointIds.filter((id) => !found.has(id));
  const older = others.length === 0 ? [] : await query(selectOlder, [accountId, others, since]);
  const rows = await findByIds(
    reader,
    [...recent, ...older].map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.endpointId, deliveryToOutput(row)]));
}

// $1 account, $2 endpoints.
const newestOf = (condition: string): string => `
  select wanted.id as "endpointId", newest.id
  from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select id from deliveries.delivery
    where account_id = $1 and endpoint_id = wanted.id and id ${condition} order by id desc limit 1
  ) newest`;

const row = { endpointId: column.id, id: column.id };

/** $3 the first id of the last two days. Without a name, so that only the partitions of these days are planned. */
const selectRecent = statement({ text: newestOf('>= $3'), row });

/** $3 the same. With a name and hidden from the planner, so that a connection plans all partitions once. */
const selectOlder = statement({
  name: 'deliveries.select_newest_older',
  text: newestOf('< (select $3::uuid)'),
  row,
});

/** A delivery in a list of registrations or rules. */
export function deliveryToSummary(row: DeliveryRow): DeliverySummary {
  const { id, attempts, attemptsMax, responseCode, failure, dueAt } = row;
  const status = statusOf(row);
  return {
    id,
    status,
    attempts,
    attemptsMax,
    triesLeft: row.isWaiting ? Math.max(0, attemptsMax - row.tries!) : 0,
    responseCode,
    failure,
    deliveredAt: status === 'success' ? row.answeredAt!.toISOString() : null,
    nextAttemptAt: dueAt === null || row.isLeased ? null : dueAt.toISOString(),
  };
}

// Success needs a successful last attempt. A delivery that was lost from the queue without an attempt is shown as failed.
function statusOf({ isWaiting, isLeased, endedAs, attempts, failure }: DeliveryRow): DeliveryStatus {
  if (!isWaiting) return endedAs ?? (attempts > 0 && failure === null ? 'success' : 'failure');
  if (isLeased) return 'delivering';
  return attempts === 0 ? 'queued' : 'retrying';
}

export function deliveryToOutput(row: DeliveryRow): DeliveryOutput {
  const { eventType, responseSnippet, isRefire, isTest, redeliveryOf, replacedBy, registrationId } = row;
  return {
    ...deliveryToSummary(row),
    eventType,
    responseSnippet,
    isRefire,
    isTest,
    redeliveryOf,
    replacedBy,
    registrationId,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
  };
}

function attemptToOutput(deliveryId: string, row: AttemptRow): z.infer<typeof AttemptOutput> {
  const { dnsMs, connectMs, tlsMs, firstByteMs, signature: _, standardSignature: __, ...attempt } = row;
  return {
    ...attempt,
    startedAt: attempt.startedAt.toISOString(),
    timings: { dnsMs, connectMs, tlsMs, firstByteMs },
    requestHeaders: headersOf(deliveryId, row),
    responseHeaders: JSON.parse(row.responseHeaders ?? '{}') as Record<string, string>,
    redirects: row.redirects ?? [],
  };
}

function headersOf(
  deliveryId: string,
  { signature, standardSignature, startedAt: sentAt }: AttemptRow,
): Record<string, string> {
  if (signature === null || standardSignature === null) return {};
  const flat = requestHeaders({ deliveryId, sentAt, signature, standardSignature });
  const headers: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) headers[flat[index]!] = flat[index + 1]!;
  return headers;
}
