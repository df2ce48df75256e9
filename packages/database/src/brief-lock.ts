// Strong locks that nobody feels. Whoever waits for one makes everybody who comes later wait behind it, so a long reader in
// front would stop the whole table (https://www.postgresql.org/docs/current/explicit-locking.html). Hence: wait a moment, let go, try again.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isLockRefusal } from './pg-error.ts';

/** The longest one try waits for each lock, and so the longest anybody waits behind it. */
const lockTimeoutMs = 50;
const triesMax = 5;
const pauseMs = 150;

/**
 * Runs statements as one transaction that gets its locks within moments. False when it never did: nothing has changed, and
 * somebody holds the tables for longer. The statements go in one message, so that no lock is held across the network.
 */
export async function tryBriefly(client: pg.ClientBase, statements: readonly string[]): Promise<boolean> {
  const transaction = ['begin', `set local lock_timeout = ${lockTimeoutMs}`, ...statements, 'commit'].join(
    '; ',
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
