// Strong locks with little effect on other statements. A statement that waits for such a lock also delays all later statements on
// the table, so behind a long reader it would stop the whole table (https://www.postgresql.org/docs/current/explicit-locking.html).
// So each attempt waits only for a moment.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isLockRefusal } from './pg-error.ts';

/** The longest wait of one attempt for a lock, and so of the statements behind it. */
export const lockTimeoutMs = 50;
const triesMax = 5;
const pauseMs = 150;

/**
 * Runs statements as one transaction with short waits for its locks. Returns false and changes nothing when another transaction
 * keeps the tables locked. The statements are sent in one message, so that no lock waits for the network.
 */
export async function tryBriefly(client: pg.ClientBase, statements: readonly string[]): Promise<boolean> {
  const transaction = ['begin', `set local lock_timeout = ${lockTimeoutMs}`, ...statements, 'commit'].join(
    ';\n',
  );
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(transaction);
      return true;
    } catch (error) {
      await client.query('rollback');
      if (!isLockRefusal(error)) throw error;
      if (tries === triesMax) return false;
    }
    await delay(pauseMs);
  }
}
