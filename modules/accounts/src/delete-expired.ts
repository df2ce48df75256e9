import { roundDaysMax, type Transaction } from '@service/database';

/** Deletes the counters of sign-in attempts whose window has ended, by the database's time. Returns their number. */
export async function deleteEndedSignInAttempts({ em }: Pick<Transaction, 'em'>): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    'delete from accounts.sign_in_attempt where ends_at < now() returning 1',
  );
  return deleted.length;
}

/** The windows of calls last a minute. Older ones have no effect. */
const deleteWindows = [
  `delete from accounts.session_window where started_at < now() - interval '1 hour'`,
  `delete from accounts.account_window where started_at < now() - interval '1 hour'`,
];

/**
 * Deletes expired sign-in sessions, at most those of the oldest two days, so that a wrong clock does not end all sessions. Also
 * deletes old windows of calls. Returns the number of deleted sessions.
 */
export async function deleteExpiredSessions({ em }: Pick<Transaction, 'em'>, now: Date): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    `delete from accounts.session
     where "expiresAt" < ? and "expiresAt" < (select min("expiresAt") from accounts.session) + make_interval(days => ?)
     returning 1`,
    [now, roundDaysMax],
  );
  for (const statement of deleteWindows) await em.execute(statement);
  return deleted.length;
}
