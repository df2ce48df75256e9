import { column, roundDaysMax, statement, type Query, type Transaction } from '@service/database';

const deleteAttempts = statement({
  name: 'accounts.delete_sign_in_attempts',
  text: `
    with deleted as (delete from accounts.sign_in_attempt where ends_at < now() returning 1)
    select count(*)::int as deleted from deleted`,
  row: { deleted: column.integer },
});

/** Deletes the counters of sign-in attempts whose window has ended, by the database's time. Returns their number. */
export async function deleteEndedSignInAttempts({ query }: Pick<Transaction, 'query'>): Promise<number> {
  const [row] = await query(deleteAttempts, []);
  return row!.deleted;
}

const deleteSessions = statement({
  name: 'accounts.delete_expired_sessions',
  text: `
    with deleted as (
      delete from accounts.session
      where "expiresAt" < $1 and "expiresAt" < (select min("expiresAt") from accounts.session) + make_interval(days => $2)
      returning 1
    )
    select count(*)::int as deleted from deleted`,
  row: { deleted: column.integer },
});

// The windows of calls last a minute. Older ones have no effect.
const deleteSessionWindows = statement({
  name: 'accounts.delete_session_windows',
  text: `delete from accounts.session_window where started_at < now() - interval '1 hour'`,
});

const deleteAccountWindows = statement({
  name: 'accounts.delete_account_windows',
  text: `delete from accounts.account_window where started_at < now() - interval '1 hour'`,
  allAccounts: 'Old windows are deleted for all accounts.',
});

/**
 * Deletes expired sign-in sessions, at most those of the oldest two days, so that a wrong clock does not end all sessions. Also
 * deletes old windows of calls. Returns the number of deleted sessions.
 */
export async function deleteExpiredSessions(
  { query }: Pick<Transaction, 'query'>,
  now: Date,
): Promise<number> {
  const [row] = await query(deleteSessions, [now, roundDaysMax]);
  await query(deleteSessionWindows, []);
  await query(deleteAccountWindows, []);
  return row!.deleted;
}

const endSessions = statement({
  text: `
    with ended as (delete from accounts.session returning 1)
    select count(*)::int as count from ended`,
  row: { count: column.integer },
});

const endLinks = statement({ text: 'delete from accounts.mail_link' });

const endChallenges = statement({ text: 'delete from accounts.verification' });

/**
 * Signs everyone out, ends all links in mails that change a password or confirm an address, and forgets the browsers that are not asked
 * for a code. Returns the number of sessions.
 */
export async function endAllSignIns(query: Query): Promise<number> {
  await query(endLinks, []);
  await query(endChallenges, []);
  return (await query(endSessions, []))[0]!.count;
}
