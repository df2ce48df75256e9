import { statement, type AccountWriter } from '@service/database';

/** After the commit every event of the account is answered as one with a wrong signature. Idempotent. */
export async function suspendSources({ query, accountId }: AccountWriter): Promise<void> {
  await query(suspend, [accountId]);
}

/** The account's sources receive again. Idempotent. */
export async function resumeSources({ query, accountId }: AccountWriter): Promise<void> {
  await query(resume, [accountId]);
}

const suspend = statement({
  text: 'insert into revenue.suspended_account values ($1) on conflict do nothing',
});

const resume = statement({ text: 'delete from revenue.suspended_account where account_id = $1' });
