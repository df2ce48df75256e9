import type { Database, Transaction } from '@service/database';
import { lockEndpoint } from '../endpoint/endpoints.ts';
import { endFlush, ensureDrain, finishFlush, lockNextFlush, parkShare, restoreShare } from './flush.sql.ts';

interface AdvanceOptions {
  /** Called after a commit that changed a flush. */
  onChanged: (accountId: string, what: 'endpoints') => void;
}

/** Steps of one call, over all flushes. */
const stepsMax = 20;

const finishEverySeconds = 1;

/** Advances running flushes, one step at a time. Any number of workers may call it. */
export async function advanceFlushes(
  database: Pick<Database, 'transaction'>,
  options: AdvanceOptions,
): Promise<void> {
  for (let step = 0; step < stepsMax; step++) {
    const hasAdvanced = await database.transaction((tx) => advanceOne(tx, options));
    if (!hasAdvanced) return;
  }
}

/** False when no flush is due. The lock of a flush's row is its lease. */
async function advanceOne(tx: Transaction, { onChanged }: AdvanceOptions): Promise<boolean> {
  const [flush] = await tx.query(lockNextFlush, []);
  if (!flush) return false;
  const key = [flush.accountId, flush.endpointId];
  const announce = (): void => tx.afterCommit(() => onChanged(flush.accountId, 'endpoints'));
  const [endpoint] = await tx.query(lockEndpoint, key);
  if (!endpoint?.enabled) {
    await tx.query(endFlush, key);
    announce();
  } else if (flush.isStopping) {
    await tx.query(restoreShare, key);
    announce();
  } else if (flush.isParked) {
    const [after] = await tx.query(finishFlush, [...key, finishEverySeconds]);
    if (after!.state === 'done') announce();
  } else {
    await tx.query(ensureDrain, key);
    await tx.query(parkShare, key);
    announce();
  }
  return true;
}
