import type { Transaction } from '@service/database';

/** Deletes sessions that ended by themselves; they have no power any more, only rows. Returns how many. */
export async function deleteExpiredSessions({ em }: Pick<Transaction, 'em'>, now: Date): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    'delete from accounts.session where "expiresAt" < ? returning 1',
    [now],
  );
  return deleted.length;
}
