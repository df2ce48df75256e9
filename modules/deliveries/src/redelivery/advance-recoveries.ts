import { createId, idAt, idTime, type Database, type Transaction } from '@service/database';
import { insertDrafts } from '../queue/enqueue.ts';
import { findRecoverable, selectContents } from './recoverable.sql.ts';
import { advance, cancel, holdEndpoint, holdNext, isQueueFull, postpone } from './recovery.sql.ts';
import type { cancelReasons, RecoverableStatus } from './recovery.ts';
import type { Refire } from './redeliver.ts';

export interface AdvanceOptions {
  refire: Refire;
  scheduleSeconds: readonly number[];
  /** Says, after a commit, that something is due. */
  wake: () => void;
  now: Date;
}

/** Batches that one call makes, over all recoveries. */
const batchesMax = 10;

/** Deliveries that a batch queues at most, and that it looks at while few of them match. */
const batchMax = 500;
const lookedAtMax = 5000;

/** A recovery goes on only while fewer than this wait for its endpoint: what is new must not stand behind all that is old. */
const waitingMax = 2000;
const postponedSeconds = 2;

interface HeldRecovery {
  account_id: string;
  id: string;
  endpoint_id: string;
  until: Date;
  statuses: RecoverableStatus[];
  event_types: string[] | null;
  cursor: string;
}

/**
 * Moves running recoveries on, a batch at a time, those first that waited longest. Each batch is one transaction: what it
 * queues and how far it came stand or fall together, so a delivery is never queued twice, whoever is killed when. Any
 * number of workers may call it.
 */
export async function advanceRecoveries(
  database: Pick<Database, 'transaction'>,
  options: AdvanceOptions,
): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) {
    const found = await database.transaction((tx) => advanceOne(tx, options));
    if (!found) return;
  }
}

/** False when there is nothing to be done now. */
async function advanceOne(tx: Transaction, options: AdvanceOptions): Promise<boolean> {
  const [recovery] = await tx.query<HeldRecovery>(holdNext, [idTime(createId())]);
  if (!recovery) return false;
  const { account_id: accountId, id, endpoint_id: endpointId } = recovery;
  const [endpoint] = await tx.query<{ enabled: boolean }>(holdEndpoint, [accountId, endpointId]);
  if (!endpoint?.enabled) {
    const reason: (typeof cancelReasons)[number] = endpoint ? 'switched_off' : 'deleted';
    tx.defer(cancel, [accountId, id, reason, options.now]);
    return true;
  }
  const [queue] = await tx.query<{ full: boolean }>(isQueueFull, [accountId, endpointId, waitingMax]);
  if (queue!.full) tx.defer(postpone, [accountId, id, postponedSeconds]);
  else await queueBatch(tx, recovery, options);
  return true;
}

async function queueBatch(tx: Transaction, recovery: HeldRecovery, options: AdvanceOptions): Promise<void> {
  const { account_id: accountId, endpoint_id: endpointId, cursor } = recovery;
  const [found] = await tx.query<{ ids: string[]; looked_at: number; last_id: string | null }>(
    findRecoverable(recovery.statuses),
    [
      accountId,
      endpointId,
      cursor,
      idAt(recovery.until),
      recovery.statuses,
      recovery.event_types,
      lookedAtMax,
      batchMax,
    ],
  );
  const { ids, looked_at: lookedAt, last_id: lastId } = found!;
  await queueAgain(tx, { accountId, endpointId, ids }, options);
  const isFull = ids.length === batchMax;
  const reached = isFull ? ids.at(-1)! : (lastId ?? cursor);
  const isDone = !isFull && lookedAt < lookedAtMax;
  tx.defer(advance, [accountId, recovery.id, ids.length, reached, isDone ? options.now : null]);
  tx.afterCommit(options.wake);
}

async function queueAgain(
  tx: Transaction,
  { accountId, endpointId, ids }: { accountId: string; endpointId: string; ids: readonly string[] },
  { refire, scheduleSeconds, now }: AdvanceOptions,
): Promise<void> {
  if (ids.length === 0) return;
  const contents = await tx.query<{ event_type: string; body: string; first_id: string }>(selectContents, [
    accountId,
    ids,
    ids[0],
    ids.at(-1),
  ]);
  const drafts = contents.map((content) => ({
    endpointId,
    eventType: content.event_type,
    body: refire(content.body, now),
    isRefire: true,
    redeliveryOf: content.first_id,
  }));
  insertDrafts({ defer: tx.defer, accountId, now }, drafts, scheduleSeconds);
}
