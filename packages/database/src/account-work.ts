import type { EntityManager } from '@mikro-orm/postgresql';
import type { Query, Statement } from './query.ts';

/** The argument of a function that reads: the account and the time. Every query filters by accountId. */
export interface AccountReader {
  em: EntityManager;
  query: Query;
  accountId: string;
  now: Date;
}

/**
 * An open transaction. Its commit includes the `afterCommit` callbacks: they run when the rows are visible to other transactions.
 */
export interface Transaction {
  em: EntityManager;
  query: Query;
  /**
   * Sends a statement together with the commit, for rows that this transaction does not read again. Deferred statements are sent in
   * order and without waiting for each other. The commit fails when one of them fails.
   */
  defer(statement: Statement, values: readonly unknown[]): void;
  afterCommit(callback: () => void | Promise<void>): void;
}

/** The part of a reader that runs statements. */
export type AccountQueries = Pick<AccountReader, 'query' | 'accountId'>;

/** The argument of a function that writes. All its writes are one transaction. */
export interface AccountWriter extends AccountReader, Transaction {}

/** A transaction for the work of one account. Several accounts may share it. The unit of work is created at its first use. */
export const accountWriter = (
  tx: Transaction,
  { accountId, now }: Pick<AccountWriter, 'accountId' | 'now'>,
): AccountWriter => ({
  get em() {
    return tx.em;
  },
  query: tx.query,
  defer: (...write) => tx.defer(...write),
  afterCommit: (callback) => tx.afterCommit(callback),
  accountId,
  now,
});
