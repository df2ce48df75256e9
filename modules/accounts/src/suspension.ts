import { column, statement, type AccountWriter } from '@service/database';

const suspend = statement({
  text: `
    insert into accounts.suspension (account_id, suspended_at) values ($1, $2)
    on conflict (account_id) do update set suspended_at = suspension.suspended_at
    returning suspended_at`,
  row: { suspended_at: column.time },
});

/**
 * Suspends a workspace: its members may only read and remove access. Returns the time of the suspension, for a suspended
 * workspace the time of the first one.
 */
export async function suspendMembers({ query, accountId, now }: AccountWriter): Promise<Date> {
  const [row] = await query(suspend, [accountId, now]);
  return row!.suspended_at;
}

const resume = statement({ text: 'delete from accounts.suspension where account_id = $1' });

/** Ends the suspension of a workspace. Idempotent. */
export async function resumeMembers({ query, accountId }: AccountWriter): Promise<void> {
  await query(resume, [accountId]);
}
