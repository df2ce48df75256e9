import { defineEntity, p } from '@mikro-orm/postgresql';
import { statement, type AccountWriter } from '@service/database';

/** Accounts whose keys and access tokens are refused with 403. Stored in this schema too, so that the admission of a key reads one schema. */
export const SuspendedAccount = defineEntity({
  name: 'KeysSuspendedAccount',
  tableName: 'suspended_account',
  schema: 'keys',
  properties: {
    accountId: p.uuid().primary(),
  },
});

/** After the commit every request with a key or an access token of the account is answered account_suspended. Idempotent. */
export async function suspendKeys({ query, accountId }: AccountWriter): Promise<void> {
  await query(suspend, [accountId]);
}

/** The account's keys and access tokens work again. Idempotent. */
export async function resumeKeys({ query, accountId }: AccountWriter): Promise<void> {
  await query(resume, [accountId]);
}

const suspend = statement({ text: 'insert into keys.suspended_account values ($1) on conflict do nothing' });

const resume = statement({ text: 'delete from keys.suspended_account where account_id = $1' });
