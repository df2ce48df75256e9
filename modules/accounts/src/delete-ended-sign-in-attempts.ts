import type { Transaction } from '@service/database';

/** Deletes counters of sign-in attempts whose window has ended, by the database's time. Returns how many. */
export async function deleteEndedSignInAttempts({ em }: Pick<Transaction, 'em'>): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    'delete from accounts.sign_in_attempt where ends_at < now() returning 1',
  );
  return deleted.length;
}
