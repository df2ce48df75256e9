import type { Database, Transaction } from '@service/database';
import { lockEndpoint } from '../endpoint/endpoints.ts';
import { endFlush, ensureDrain, finishFlush, lockNextFlush, parkShare } from './flush.sql.ts';

/** Steps of one call, over all flushes. */
const stepsMax = 20;

const finishEverySeconds = 1;

/** Advances running flushes, one step at a time. Any number of workers may call it. */
export async function advanceFlushes(database: Pick<Database, 'transaction'>): Promise<void> {
  for (let step = 0; step < stepsMax; step++) {
    const hasAdvanced = await database.transaction(advanceOne);
    if (!hasAdvanced) return;
  }
}

/** False when no flush is due. The lock of a flush's row is its lease. */
async function advanceOne(tx: Transaction): Promise<boolean> {
  const [flush] = await tx.query(lockNextFlush, []);
  if (!flush) return false;
  const key = [flush.accountId, flush.endpointId];
  const [endpoint] = await tx.query(lockEndpoint, key);
  if (!endpoint?.enabled) {
    await tx.query(endFlush, key);
  } else if (flush.isParked) {
    await tx.query(finishFlush, [...key, finishEverySeconds]);
  } else {
    await tx.query(ensureDrain, key);
    await tx.query(parkShare, key);
  }
  return true;
}
