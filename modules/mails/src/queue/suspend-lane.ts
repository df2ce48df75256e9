import { statement, type AccountWriter } from '@service/database';

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
