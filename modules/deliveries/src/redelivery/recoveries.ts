// Recoveries as people ask for them, follow them and stop them.
import { LockMode } from '@mikro-orm/postgresql';
import { createId, idAt, isUniqueViolation, type AccountReader, type AccountWriter } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { deliveryErrors } from '../errors.ts';
import { countRecoverable } from './recoverable.sql.ts';
import { recoverableStatuses, Recovery, type RecoverableStatus } from './recovery.ts';
import type { RecoveryOutput, RecoveryPreviewOutput } from './recovery-schemas.ts';

export interface RecoveryRequest {
  endpointId: string;
  /** Before `until`. */
  since: Date;
  /** Now when left out, or when it is later. */
  until?: Date | undefined;
  statuses: readonly RecoverableStatus[];
  /** All when left out. */
  eventTypes?: readonly string[] | undefined;
}

export interface RecoveryPage {
  data: RecoveryOutput[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

/** Deliveries that counting looks at. */
const countedMax = 100_000;

/** How long finished recoveries are kept: as long as what they recovered. */
const keptMs = 90 * 24 * 3_600_000;

/** What a recovery would send again; nothing is written. */
export async function previewRecovery(
  reader: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  request: RecoveryRequest,
): Promise<RecoveryPreviewOutput> {
  const { since } = request;
  const until = untilOf(request, reader.now);
  const statuses = orderedStatuses(request);
  const [counted] = await reader.query<{ total: number; looked_at: number }>(countRecoverable(statuses), [
    reader.accountId,
    request.endpointId,
    idAt(since),
    idAt(until),
    statuses,
    request.eventTypes ?? null,
    countedMax,
  ]);
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    total: counted!.total,
    isTotalCapped: counted!.looked_at === countedMax,
  };
}

/** Starts one; it has ended already when there is nothing to send. Throws recovery_running. */
export async function createRecovery(tx: AccountWriter, request: RecoveryRequest): Promise<RecoveryOutput> {
  const { em, accountId, now } = tx;
  const { endpointId, since, eventTypes } = request;
  if ((await em.count(Recovery, { accountId, endpointId, state: 'running' })) > 0)
    throw deliveryErrors.recovery_running();
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

/** Of an endpoint, newest first. */
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
  /** Only if it is of this one. */
  endpointId: string;
}

export async function getRecovery(reader: AccountReader, key: RecoveryKey): Promise<RecoveryOutput> {
  return recoveryToOutput(await find(reader, key));
}

/** Stops one between two batches: what it has queued stays queued. Throws recovery_not_found, recovery_finished. */
export async function cancelRecovery(tx: AccountWriter, key: RecoveryKey): Promise<RecoveryOutput> {
  const recovery = await find(tx, key, LockMode.PESSIMISTIC_WRITE);
  if (recovery.state !== 'running') throw deliveryErrors.recovery_finished();
  Object.assign(recovery, { state: 'cancelled', cancelReason: 'requested', finishedAt: tx.now });
  await tx.em.flush();
  return recoveryToOutput(recovery);
}

async function find(
  { em, accountId }: AccountReader,
  { recoveryId, endpointId }: RecoveryKey,
  lockMode?: LockMode,
): Promise<Recovery> {
  const recovery = await em.findOne(Recovery, { accountId, id: recoveryId, endpointId }, { lockMode });
  if (!recovery) throw deliveryErrors.recovery_not_found();
  return recovery;
}

/** Two that begin together both saw that none was running; the index lets one pass. */
async function flushOne(em: AccountWriter['em']): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (isUniqueViolation(error, 'recovery_running_unique')) throw deliveryErrors.recovery_running();
    throw error;
  }
}

/** Never in the future: what a recovery queues lies behind it, so that it never meets its own work. */
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
