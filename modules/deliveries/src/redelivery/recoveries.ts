// The calls on recoveries: preview, create, list, get, cancel.
import { LockMode } from '@mikro-orm/postgresql';
import { column, createId, idAt, isUniqueViolation, nullable, statement } from '@service/database';
import type { AccountReader, AccountWriter } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { deliveryErrors } from '../errors.ts';
import { countRecoverable } from './recoverable.sql.ts';
import { recoverableStatuses, Recovery } from './recovery.ts';
import type { RecoverableStatus, RecoveryOutput, RecoveryPreviewOutput } from './recovery.ts';

export interface RecoveryRequest {
  endpointId: string;
  /** Before `until`. */
  since: Date;
  /** Now when left out or in the future. */
  until?: Date | undefined;
  statuses: readonly RecoverableStatus[];
  /** All event types when left out. */
  eventTypes?: readonly string[] | undefined;
}

export interface RecoveryPage {
  data: RecoveryOutput[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

/** Counting ends after this many deliveries. */
const countedMax = 100_000;

/** Finished recoveries are kept as long as their deliveries. */
const keptMs = 90 * 24 * 3_600_000;

/** Counts the deliveries that a recovery would redeliver, and those that still wait and that it would leave out. Writes nothing. */
export async function previewRecovery(
  reader: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  request: RecoveryRequest,
): Promise<RecoveryPreviewOutput> {
  const { since } = request;
  const until = untilOf(request, reader.now);
  const statuses = orderedStatuses(request);
  const [counted] = await reader.query(countRecoverable(statuses), [
    reader.accountId,
    request.endpointId,
    idAt(since),
    idAt(until),
    statuses,
    request.eventTypes ?? null,
    countedMax,
  ]);
  const [waiting] = await reader.query(countWaiting, [
    reader.accountId,
    request.endpointId,
    idAt(since),
    idAt(until),
    request.eventTypes ?? null,
  ]);
  const { queued, retrying, nextAttemptAt } = waiting!;
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    total: counted!.total,
    isTotalCapped: counted!.searched === countedMax,
    waiting: { queued, retrying, nextAttemptAt: nextAttemptAt?.toISOString() ?? null },
  };
}

// $1 account, $2 endpoint, $3 after this id, $4 before this id, $5 event types or null for all. A retry of a paused endpoint that
// becomes due waits for the next probe, so the probe is the next try. Tests have one try and are not counted.
const countWaiting = statement({
  text: `
    with waiting as materialized (
      select attempts, due_at from deliveries.due
      where account_id = $1 and endpoint_id = $2 and delivery_id > $3 and delivery_id < $4 and exists (
        select from deliveries.delivery
        where delivery.id = due.delivery_id and delivery.account_id = $1 and delivery.id > $3 and delivery.id < $4
          and not is_test and ($5::text[] is null or event_type = any($5)))
      limit ${countedMax}
    ), health as (
      select state, probe_at from deliveries.endpoint_health where account_id = $1 and endpoint_id = $2
    )
    select count(*) filter (where attempts = 0)::integer as queued,
      count(*) filter (where attempts > 0)::integer as retrying,
      case when count(*) = 0 then null else case (select state from health)
        when 'halted' then null
        when 'paused' then (select probe_at from health)
        else min(due_at) filter (where due_at < 'infinity') end end as "nextAttemptAt"
    from waiting`,
  row: { queued: column.integer, retrying: column.integer, nextAttemptAt: nullable(column.time) },
});

/** Starts a recovery; with nothing to redeliver it has ended at once. Throws recovery_running. */
export async function createRecovery(tx: AccountWriter, request: RecoveryRequest): Promise<RecoveryOutput> {
  const { em, accountId, now } = tx;
  const { endpointId, since, eventTypes } = request;
  if ((await em.count(Recovery, { accountId, endpointId, state: 'running' })) > 0) throw runningNow();
  const { total, isTotalCapped } = await previewRecovery(tx, request);
  const isEmpty = total === 0 && !isTotalCapped;
  const recovery = em.create(Recovery, {
    accountId,
    id: createId(),
    endpointId,
    since,
    until: untilOf(request, now),
    statuses: orderedStatuses(request),
    eventTypes: eventTypes ? [...eventTypes] : null,
    state: isEmpty ? 'done' : 'running',
    total,
    isTotalCapped,
    queued: 0,
    cursor: idAt(since),
    nextAt: now,
    createdAt: now,
    finishedAt: isEmpty ? now : null,
  });
  const outdated = idAt(new Date(now.getTime() - keptMs));
  await em.nativeDelete(Recovery, { accountId, id: { $lt: outdated }, state: { $ne: 'running' } });
  await flushOne(em);
  return recoveryToOutput(recovery);
}

/** Recoveries of an endpoint, newest first. */
export async function listRecoveries(
  { em, accountId }: AccountReader,
  { limit, cursor, ...filters }: { endpointId: string; limit: number; cursor?: string | undefined },
): Promise<RecoveryPage> {
  const scope = { list: 'recoveries', accountId, filters };
  const after = cursorId(cursor, scope);
  const recoveries = await em.find(
    Recovery,
    { accountId, ...filters, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  return toPage(recoveries, { limit, scope, toItem: recoveryToOutput });
}

interface RecoveryKey {
  recoveryId: string;
  /** A recovery of another endpoint is not found. */
  endpointId: string;
}

/** Throws recovery_not_found. */
export async function getRecovery(reader: AccountReader, key: RecoveryKey): Promise<RecoveryOutput> {
  return recoveryToOutput(await findOrThrow(reader, key));
}

/** Stops a recovery between two batches; its queued redeliveries stay queued. Throws recovery_not_found, recovery_finished. */
export async function cancelRecovery(tx: AccountWriter, key: RecoveryKey): Promise<RecoveryOutput> {
  const recovery = await findOrThrow(tx, key, LockMode.PESSIMISTIC_WRITE);
  if (recovery.state !== 'running') throw deliveryErrors.recovery_finished();
  Object.assign(recovery, { state: 'cancelled', cancelReason: 'requested', finishedAt: tx.now });
  await tx.em.flush();
  return recoveryToOutput(recovery);
}

async function findOrThrow(
  { em, accountId }: AccountReader,
  { recoveryId, endpointId }: RecoveryKey,
  lockMode?: LockMode,
): Promise<Recovery> {
  const recovery = await em.findOne(Recovery, { accountId, id: recoveryId, endpointId }, { lockMode });
  if (!recovery) throw deliveryErrors.recovery_not_found();
  return recovery;
}

const runningNow = () => deliveryErrors.recovery_running({ retryAfterSeconds: 30 });

/** Two calls at the same time both see that no recovery is running; the unique index refuses one of them. */
async function flushOne(em: AccountWriter['em']): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (isUniqueViolation(error, 'recovery_running_unique')) throw runningNow();
    throw error;
  }
}

/** Never in the future: the redeliveries are made after it, so a recovery never finds its own redeliveries. */
const untilOf = ({ until }: RecoveryRequest, now: Date): Date => (until && until < now ? until : now);

const orderedStatuses = ({ statuses }: RecoveryRequest): RecoverableStatus[] =>
  recoverableStatuses.filter((status) => statuses.includes(status));

const recoveryToOutput = (recovery: Recovery): RecoveryOutput => ({
  id: recovery.id,
  state: recovery.state,
  cancelReason: recovery.cancelReason ?? null,
  since: recovery.since.toISOString(),
  until: recovery.until.toISOString(),
  statuses: recovery.statuses,
  eventTypes: recovery.eventTypes ?? null,
  total: recovery.total,
  isTotalCapped: recovery.isTotalCapped,
  queued: recovery.queued,
  createdAt: recovery.createdAt.toISOString(),
  finishedAt: recovery.finishedAt?.toISOString() ?? null,
});
