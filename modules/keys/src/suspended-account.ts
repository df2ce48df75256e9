import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Transaction } from '@service/database';

/** Accounts whose keys are refused with 403. Stored in this schema too, so that the admission of a key reads one schema. */
export const SuspendedAccount = defineEntity({
  name: 'KeysSuspendedAccount',
  tableName: 'suspended_account',
  schema: 'keys',
  properties: {
    accountId: p.uuid().primary(),
  },
});

/** After the commit every request with a key of the account is answered account_suspended. Idempotent. */
export async function suspendKeys({ query }: Pick<Transaction, 'query'>, accountId: string): Promise<void> {
  await query({ text: 'insert into keys.suspended_account values ($1) on conflict do nothing' }, [accountId]);
}

/** The account's keys work again. Idempotent. */
export async function resumeKeys({ query }: Pick<Transaction, 'query'>, accountId: string): Promise<void> {
  await query({ text: 'delete from keys.suspended_account where account_id = $1' }, [accountId]);
}
