import { column, createId, idAt, idTime, nullable, statement } from '@service/database';
import type { Database, RowsOf, Transaction } from '@service/database';
import { accountUsage } from '../account/quota.ts';
import { lockEndpoint } from '../endpoint/endpoints.ts';
import { insertDrafts, type EnqueueOptions } from '../queue/enqueue.ts';
import { findRecoverable } from './recoverable.sql.ts';
import type { cancelReasons, RecoverableStatus } from './recovery.ts';
import { draftRedeliveries, type Refire } from './redeliver.ts';

export interface AdvanceOptions extends EnqueueOptions {
  refire: Refire;
  /** Announces, after a commit, that something is due. */
  wake: () => void;
  /** Called after a commit that changed a recovery. */
  onChanged: (accountId: string, what: 'endpoints') => void;
  now: Date;
}

/** Batches of one call, over all recoveries. */
const batchesMax = 10;

/** The most redeliveries that one batch queues, and the most deliveries that it searches. */
const batchMax = 500;
const searchedMax = 5000;

/** A recovery pauses while this many deliveries wait for its endpoint, so that new deliveries do not wait behind old ones. */
const waitingMax = 2000;
const postponedSeconds = 2;

type LockedRecovery = RowsOf<typeof lockNext>;

/**
 * Advances running recoveries, one batch at a time, in the order of their waiting time. A batch is one transaction for its
 * redeliveries and the position of the recovery, so a delivery is never queued twice, even if a process is killed. Any number of
 * workers may call it.
 */
export async function advanceRecoveries(
  database: Pick<Database, 'transaction'>,
  options: AdvanceOptions,
): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) {
    const hasAdvanced = await database.transaction((tx) => advanceOne(tx, options));
    if (!hasAdvanced) return;
  }
}

/** False when no recovery is due. */
async function advanceOne(tx: Transaction, options: AdvanceOptions): Promise<boolean> {
  const [recovery] = await tx.query(lockNext, [idTime(createId())]);
  if (!recovery) return false;
  const { accountId, id, endpointId } = recovery;
  tx.afterCommit(() => options.onChanged(accountId, 'endpoints'));
  const [endpoint] = await tx.query(lockEndpoint, [accountId, endpointId]);
  if (!endpoint?.enabled) {
    const reason: (typeof cancelReasons)[number] = endpoint ? 'switched_off' : 'deleted';
    tx.defer(cancel, [accountId, id, reason, options.now]);
    return true;
  }
  const { quota } = options;
  const limits = [waitingMax, quota.waitingMax, quota.bytesMax];
  const [queue] = await tx.query(isQueueFull, [accountId, endpointId, ...limits]);
  if (queue!.full) tx.defer(postpone, [accountId, id, postponedSeconds]);
  else await queueBatch(tx, recovery, options);
  return true;
}

async function queueBatch(tx: Transaction, recovery: LockedRecovery, options: AdvanceOptions): Promise<void> {
  const { accountId, endpointId, cursor } = recovery;
  const [found] = await tx.query(findRecoverable(recovery.statuses), [
    accountId,
    endpointId,
    cursor,
    idAt(recovery.until),
    recovery.statuses,
    recovery.eventTypes,
    searchedMax,
    batchMax,
  ]);
  const { ids, searched, last_id: lastId } = found!;
  const { refire, now, ...enqueueOptions } = options;
  const drafts = await draftRedeliveries({ query: tx.query, accountId, now }, { endpointId, ids }, refire);
  if (drafts.length > 0) insertDrafts({ defer: tx.defer, accountId, now }, drafts, enqueueOptions);
  const isFull = ids.length === batchMax;
  const reached = isFull ? ids.at(-1)! : (lastId ?? cursor);
  const isDone = !isFull && searched < searchedMax;
  tx.defer(advance, [accountId, recovery.id, ids.length, reached, isDone ? options.now : null]);
  tx.afterCommit(options.wake);
}

// The lock of a recovery's row is its lease: it ends with the transaction, also when the process dies.

/**
 * The recovery that has waited longest and that no other worker has locked. Only one whose end is before $1, the time of this
 * process's newest id: all ids that this process makes now must be after that end, even if its clock is behind.
 */
const lockNext = statement({
  text: `
    select account_id as "accountId", id, endpoint_id as "endpointId", until, statuses, event_types as "eventTypes", cursor
    from deliveries.recovery
    where state = 'running' and next_at <= now() and until <= $1
    order by next_at limit 1 for update skip locked`,
  allAccounts: 'Workers advance the recoveries of every account.',
  row: {
    accountId: column.id,
    id: column.id,
    endpointId: column.id,
    until: column.time,
    statuses: column.textsOf<RecoverableStatus>(),
    eventTypes: nullable(column.texts),
    cursor: column.id,
  },
});

/**
 * True if $3 deliveries wait for endpoint $2 of account $1, if the endpoint has never answered and is full, or if the account has
 * reached its limit of $4 waiting deliveries or of $5 bytes.
 */
const isQueueFull = statement({
  text: `
    select
      (select count(*) = $3 from (select from deliveries.due where account_id = $1 and endpoint_id = $2 limit $3) waiting)
      or exists (select from deliveries.endpoint_health where account_id = $1 and endpoint_id = $2 and is_full and state <> 'draining')
      or (select is_backlog_full or is_storage_full from (${accountUsage('$4', '$5')}) used) as full`,
  row: { full: column.boolean },
});

/** $1 account, $2 recovery, $3 seconds. */
const postpone = statement({
  text: `
    update deliveries.recovery set next_at = clock_timestamp() + make_interval(secs => $3)
    where account_id = $1 and id = $2`,
});

/** $1 account, $2 recovery, $3 how many more are queued, $4 the last delivery searched, $5 now when all are searched, else null. */
const advance = statement({
  text: `
    update deliveries.recovery set queued = queued + $3, cursor = $4, next_at = clock_timestamp(),
      state = case when $5::timestamptz is null then state else 'done' end, finished_at = $5
    where account_id = $1 and id = $2`,
});

/** $1 account, $2 recovery, $3 reason, $4 now. */
const cancel = statement({
  text: `
    update deliveries.recovery set state = 'cancelled', cancel_reason = $3, finished_at = $4
    where account_id = $1 and id = $2`,
});
