import { roundDaysMax, type Transaction } from '@service/database';

/**
 * Deletes sessions that ended by themselves; they have no power any more, only rows. Those of the oldest two days at most: a clock
 * that is wrong must not sign everybody out for good. Returns how many.
 */
export async function deleteExpiredSessions({ em }: Pick<Transaction, 'em'>, now: Date): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    `delete from accounts.session
     where "expiresAt" < ? and "expiresAt" < (select min("expiresAt") from accounts.session) + make_interval(days => ?)
     returning 1`,
    [now, roundDaysMax],
  );
  return deleted.length;
}
