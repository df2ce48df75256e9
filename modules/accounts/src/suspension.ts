import type { AccountWriter } from '@service/database';

/**
 * Suspends a workspace: its members may only read and remove access. Returns the time of the suspension, for a suspended
 * workspace the time of the first one.
 */
export async function suspendMembers({ query, accountId, now }: AccountWriter): Promise<Date> {
  const [row] = await query<{ suspended_at: Date }>(
    {
      text: `
        insert into accounts.suspension (account_id, suspended_at) values ($1, $2)
        on conflict (account_id) do update set suspended_at = suspension.suspended_at
        returning suspended_at`,
    },
    [accountId, now],
  );
  return row!.suspended_at;
}

/** Ends the suspension of a workspace. Idempotent. */
export async function resumeMembers({ query, accountId }: AccountWriter): Promise<void> {
  await query({ text: 'delete from accounts.suspension where account_id = $1' }, [accountId]);
}

/** The answer of the operator's commands. */
interface SuspensionState {
  accountId: string;
  /** ISO 8601; null when the account is not suspended. */
  suspendedAt: string | null;
}

/** Called in the transaction that suspends or resumes an account. Must be idempotent. */
export interface SuspensionSubscriber {
  accountSuspended(tx: AccountWriter): Promise<void>;
  accountResumed(tx: AccountWriter): Promise<void>;
}

/** For operators. Both are idempotent. */
export interface Suspension {
  /** The time is that of the first suspension. The rooms of the account stay open. */
  suspendAccount(tx: AccountWriter): Promise<SuspensionState>;
  resumeAccount(tx: AccountWriter): Promise<SuspensionState>;
}

/** The suspension of an account: its members, and everything that subscribers stop. */
export function createSuspension(subscribers: readonly SuspensionSubscriber[]): Suspension {
  return {
    async suspendAccount(tx) {
      const suspendedAt = await suspendMembers(tx);
      for (const subscriber of subscribers) await subscriber.accountSuspended(tx);
      return { accountId: tx.accountId, suspendedAt: suspendedAt.toISOString() };
    },
    async resumeAccount(tx) {
      await resumeMembers(tx);
      for (const subscriber of subscribers) await subscriber.accountResumed(tx);
      return { accountId: tx.accountId, suspendedAt: null };
    },
  };
}
