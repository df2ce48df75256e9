import { createId, idTime, type AccountReader, type AccountWriter } from '@service/database';
import { isHalted, probe } from '../endpoint/endpoints.ts';
import { deliveryErrors } from '../errors.ts';
import type { WaitingOutput } from './flush.ts';
import {
  countWaiting,
  ensureDrain,
  parkShare,
  restoreShare,
  selectWaiting,
  startFlush,
  stopFlush,
} from './flush.sql.ts';

/** Counts what waits for an endpoint, and reads the last run that sent it. */
export async function readWaiting(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  endpointId: string,
): Promise<WaitingOutput> {
  const [row] = await query(selectWaiting, [accountId, endpointId]);
  const { count, oldestId, nextAttemptAt, id, state, isStopping, total, startedAt, finishedAt, left } = row!;
  return {
    count,
    oldestAt: oldestId === null ? null : idTime(oldestId).toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    flush:
      id === null
        ? null
        : {
            id,
            state: state!,
            total: total!,
            left,
            isStopping: isStopping!,
            startedAt: startedAt!.toISOString(),
            finishedAt: finishedAt?.toISOString() ?? null,
          },
  };
}

/**
 * Has everything that waits for an endpoint sent now, at the rate of its drain. The deliveries stay the same. A paused endpoint is
 * probed at once, and the rest is sent when it answers. Of several calls only the first one starts a run. Throws
 * endpoint_halted.
 */
export async function sendWaiting(tx: AccountWriter, endpointId: string): Promise<WaitingOutput> {
  const { query, accountId } = tx;
  if (await isHalted(tx, endpointId)) throw deliveryErrors.endpoint_halted();
  const [counted] = await query(countWaiting, [accountId, endpointId]);
  const total = counted!.count;
  if (total > 0) {
    const started = await query(startFlush, [accountId, endpointId, createId(), total]);
    if (started.length > 0) {
      await query(ensureDrain, [accountId, endpointId]);
      await query(parkShare, [accountId, endpointId]);
    }
    await probe(tx, endpointId);
  }
  return readWaiting(tx, endpointId);
}

/**
 * Stops the run that sends everything that waits. Deliveries that were released are sent. The others wait for their own time again;
 * those whose time has come meanwhile are sent at the rate of the drain. Does nothing without a running run.
 */
export async function stopSending(tx: AccountWriter, endpointId: string): Promise<WaitingOutput> {
  const { query, accountId } = tx;
  const stopped = await query(stopFlush, [accountId, endpointId]);
  if (stopped.length > 0) await query(restoreShare, [accountId, endpointId]);
  return readWaiting(tx, endpointId);
}
