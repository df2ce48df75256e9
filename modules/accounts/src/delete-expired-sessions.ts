import { roundDaysMax, type Transaction } from '@service/database';

/** A window is over after a minute; what is older than an hour counts nothing any more. */
const deleteWindows = [
  `delete from accounts.session_window where started_at < now() - interval '1 hour'`,
  `delete from accounts.account_window where started_at < now() - interval '1 hour'`,
];

/**
 * Deletes sessions that ended by themselves; they have no power any more, only rows. Those of the oldest two days at most: a clock
 * that is wrong must not sign everybody out for good. Also deletes the windows in which calls were counted. Returns how many
 * sessions were deleted.
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
