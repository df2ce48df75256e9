import type { EntityManager } from '@mikro-orm/postgresql';
import type { Query, Statement } from './query.ts';

/** What a verb that reads needs: whose rows, and when it is. Every query filters by accountId. */
export interface AccountReader {
  em: EntityManager;
  query: Query;
  accountId: string;
  now: Date;
}

/**
 * One open transaction. `afterCommit` callbacks run only once its rows are visible to everybody, and whoever waits for the
 * commit waits for them.
 */
export interface Transaction {
  em: EntityManager;
  query: Query;
  /**
   * Writes what nobody in this transaction looks at: all such statements go out with the commit, in order and without
   * waiting for each other. One that fails fails the commit.
   */
  defer(statement: Statement, values: readonly unknown[]): void;
  afterCommit(callback: () => void | Promise<void>): void;
  /** Records CPU time that costly work of the account took: its next transactions wait until it is back within its share. */
  charge(cpuMs: number): void;
}

/** What a verb that writes needs: everything it writes is one transaction. */
export interface AccountWriter extends AccountReader, Transaction {}
