import type { Transaction } from '@service/database';

/** A window is over after a minute; what is older than an hour counts nothing any more. */
const deleteWindows = [
  `delete from accounts.session_window where started_at < now() - interval '1 hour'`,
  `delete from accounts.account_window where started_at < now() - interval '1 hour'`,
];

/**
 * Deletes sessions that ended by themselves; they have no power any more, only rows. Also deletes the windows
 * in which calls were counted. Returns how many sessions were deleted.
 */
export async function deleteExpiredSessions({ em }: Pick<Transaction, 'em'>, now: Date): Promise<number> {
  const deleted = await em.execute<unknown[]>(
    'delete from accounts.session where "expiresAt" < ? returning 1',
    [now],
  );
  for (const statement of deleteWindows) await em.execute(statement);
  return deleted.length;
}
