import type { EntityManager } from '@mikro-orm/postgresql';
import type { Query } from './query.ts';

/** What a verb that reads needs: whose rows, and when it is. Every query filters by accountId. */
export interface AccountReader {
  em: EntityManager;
  query: Query;
  accountId: string;
  now: Date;
}

/** One open transaction. `afterCommit` callbacks run only once its rows are visible to everybody. */
export interface Transaction {
  em: EntityManager;
  query: Query;
  afterCommit(callback: () => void): void;
}

/** What a verb that writes needs: everything it writes through `em` or `query` is one transaction. */
export interface AccountWriter extends AccountReader, Transaction {}
