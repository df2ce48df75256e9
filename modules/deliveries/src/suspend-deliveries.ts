import type { AccountWriter } from '@service/database';
import { untilFormerIsUnused } from './endpoint/destinations.ts';
import { resume, suspend } from './suspension/suspended-accounts.ts';

/**
 * Stops all sending for an account. No attempt begins after the commit has returned; attempts in flight end normally. Deliveries
 * that are queued now or later wait. Idempotent.
 */
export async function suspendDeliveries({ query, afterCommit, accountId }: AccountWriter): Promise<void> {
  await query(suspend, [accountId]);
  afterCommit(untilFormerIsUnused);
}

/** Has workers send again: parked deliveries within seconds, retries when they are due. Idempotent. */
export async function resumeDeliveries({ query, accountId }: AccountWriter): Promise<void> {
  await query(resume, [accountId]);
}
