import type { Transaction } from '@service/database';
import { untilFormerIsUnused } from './endpoint/destinations.ts';
import { resume, suspend } from './suspension/suspension.sql.ts';

/**
 * From the return of the commit on, no attempt for the account begins; those under way end as they would. What is queued, and
 * what is enqueued from now on, waits. Idempotent.
 */
export async function suspendDeliveries(
  { query, afterCommit }: Pick<Transaction, 'query' | 'afterCommit'>,
  accountId: string,
): Promise<void> {
  await query(suspend, [accountId]);
  afterCommit(untilFormerIsUnused);
}

/** Has workers send what waited: what was parked within seconds, retries when they are due. Idempotent. */
export async function resumeDeliveries(
  { query }: Pick<Transaction, 'query'>,
  accountId: string,
): Promise<void> {
  await query(resume, [accountId]);
}
