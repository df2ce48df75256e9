import { column, statement, type AccountWriter, type Query } from '@service/database';

const upsert = statement({
  name: 'mails.suspend_lane',
  text: `
    insert into mails.lane (account_id, next_at, suspended) values ($1, now(), $2)
    on conflict (account_id) do update set suspended = excluded.suspended`,
});

/** Stops or resumes the mails of an account. Waiting ones stay until they expire. Idempotent. */
export async function setSuspended({ query, accountId }: AccountWriter, suspended: boolean): Promise<void> {
  await query(upsert, [accountId, suspended]);
}

const stopAll = statement({
  text: 'update mails.lane set suspended = true where not suspended returning account_id',
  row: { account_id: column.id },
  allAccounts: 'After a restore what waits may have been sent already, in any account.',
});

const resumeAll = statement({
  text: `
    update mails.lane set suspended = false
    where suspended and account_id <> all($1::uuid[])
    returning account_id`,
  row: { account_id: column.id },
  allAccounts: 'What a restore has stopped goes on, in every account that is not suspended.',
});

/** Sends no mail in any account that has queued one before; what waits is kept until it expires. Returns the number of accounts. */
export const stopAllMails = async (query: Query): Promise<number> => (await query(stopAll, [])).length;

/** Ends the stop in all accounts but those that are suspended. Returns their number. */
export const resumeAllMails = async (query: Query, suspended: readonly string[]): Promise<number> =>
  (await query(resumeAll, [suspended])).length;
