import { resumeMembers, suspendMembers } from '@service/accounts';
import type { AccountWriter } from '@service/database';
import { resumeDeliveries, suspendDeliveries } from '@service/deliveries';
import { resumeKeys, suspendKeys } from '@service/keys';

export interface Suspension {
  accountId: string;
  /** ISO 8601; null when the account is not suspended. */
  suspendedAt: string | null;
}

/**
 * Suspends an account, in one transaction: its keys get account_suspended, its members can only read, and its deliveries
 * wait. Its rooms stay open. Idempotent: the time is that of the first suspension.
 */
export async function suspendAccount(tx: AccountWriter): Promise<Suspension> {
  const { accountId } = tx;
  const suspendedAt = await suspendMembers(tx);
  await suspendKeys(tx, accountId);
  await suspendDeliveries(tx, accountId);
  return { accountId, suspendedAt: suspendedAt.toISOString() };
}

/** Ends the suspension of an account. Waiting deliveries are sent. Idempotent. */
export async function resumeAccount(tx: AccountWriter): Promise<Suspension> {
  const { accountId } = tx;
  await resumeMembers(tx);
  await resumeKeys(tx, accountId);
  await resumeDeliveries(tx, accountId);
  return { accountId, suspendedAt: null };
}
