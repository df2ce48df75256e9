import type { EntityManager } from '@mikro-orm/postgresql';

/** What a verb that reads needs: whose rows, and when it is. Every query filters by accountId. */
export interface AccountReader {
  em: EntityManager;
  accountId: string;
  now: Date;
}

/** One open transaction. `afterCommit` callbacks run only once its rows are visible to everybody. */
export interface Transaction {
  em: EntityManager;
  afterCommit(callback: () => void): void;
}

/** What a verb that writes needs: everything it writes through `em` is one transaction. */
export interface AccountWriter extends AccountReader, Transaction {}
