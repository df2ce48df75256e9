import type { MikroORM } from '@mikro-orm/postgresql';
import type { Transaction } from './account-work.ts';
import { connectionTakenBy } from './orm-pool.ts';
import { queryOn } from './query.ts';

/** A transaction whose end is somewhere else than its beginning. */
export interface OpenTransaction extends Transaction {
  /** Writes what the unit of work still holds, commits, then runs the `afterCommit` callbacks. */
  commit(): Promise<void>;
  /** Takes everything back; does nothing after a commit. Never throws: a connection that is gone has rolled back already. */
  rollback(): Promise<void>;
}

export async function beginTransaction(orm: MikroORM): Promise<OpenTransaction> {
  const em = orm.em.fork();
  const callbacks: (() => void)[] = [];
  const connection = await connectionTakenBy(() => em.begin());
  return {
    em,
    query: queryOn(connection),
    afterCommit: (callback) => void callbacks.push(callback),
    async commit() {
      await em.commit();
      for (const callback of callbacks) callback();
    },
    async rollback() {
      if (em.isInTransaction()) await em.rollback().catch(() => undefined);
    },
  };
}
