import { column, statement, type AccountWriter, type Query } from '@service/database';

const suspend = statement({
  text: `
    insert into accounts.suspension (account_id, suspended_at) values ($1, $2)
    on conflict (account_id) do update set suspended_at = suspension.suspended_at
    returning suspended_at`,
  row: { suspended_at: column.time },
});

const resume = statement({ text: 'delete from accounts.suspension where account_id = $1' });

const selectSuspended = statement({
  text: 'select account_id from accounts.suspension',
  row: { account_id: column.text },
  allAccounts: 'What a restore has stopped goes on, in every account that is not suspended.',
});

/** The ids of all suspended accounts. */
export const findSuspendedAccounts = async (query: Query): Promise<string[]> =>
  (await query(selectSuspended, [])).map((row) => row.account_id);

/** The answer of the operator's commands. */
export interface SuspensionState {
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
  /** The time is that of the first suspension. */
  suspendAccount(tx: AccountWriter): Promise<SuspensionState>;
  resumeAccount(tx: AccountWriter): Promise<SuspensionState>;
}

/** Members of a suspended account may only read and remove access. Its rooms stay open. Subscribers decide the rest. */
export function createSuspension(subscribers: readonly SuspensionSubscriber[]): Suspension {
  return {
    async suspendAccount(tx) {
      const [row] = await tx.query(suspend, [tx.accountId, tx.now]);
      for (const subscriber of subscribers) await subscriber.accountSuspended(tx);
      return { accountId: tx.accountId, suspendedAt: row!.suspended_at.toISOString() };
    },
    async resumeAccount(tx) {
      await tx.query(resume, [tx.accountId]);
      for (const subscriber of subscribers) await subscriber.accountResumed(tx);
      return { accountId: tx.accountId, suspendedAt: null };
    },
  };
}
