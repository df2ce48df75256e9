import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, type Query, type Statement } from './query.ts';
import { column } from './row.ts';

/** The argument of a function that reads: the account and the time. Every query filters by accountId. */
export interface AccountReader {
  em: EntityManager;
  query: Query;
  accountId: string;
  now: Date;
  /** True for the read of a member in the dashboard. Some records are shown to members only. Writes never have it. */
  isMember?: boolean | undefined;
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
  /**
   * Calls `send` when the commit is on its way, to send statements right behind it, over its connection. The caller of the transaction does
   * not wait for them, but its connection is taken until they are answered. The commit may still fail. `send` must never throw or reject.
   */
  followCommit(send: (query: Query) => Promise<void> | undefined): void;
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
  followCommit: (send) => tx.followCommit(send),
  afterCommit: (callback) => tx.afterCommit(callback),
  accountId,
  now,
});

type Locker = Pick<AccountWriter, 'query' | 'accountId'>;

/**
 * Locks a limit, so that the transactions that count its rows take turns. The lock applies to all processes, and ends with the
 * transaction, also when its process dies. Call it before the rows are counted. `limit` is a name
 * that is unique in the product, with an id if the limit has one.
 */
export async function lockLimit({ query, accountId }: Locker, limit: string): Promise<void> {
  await query(lock, [`${limit} ${accountId}`]);
}

/**
 * Locks one of the account's places for a kind of work until the transaction ends. Returns false when all are locked. Never
 * waits.
 */
export async function takePlace(
  { query, accountId }: Locker,
  { work, places }: { work: string; places: number },
): Promise<boolean> {
  for (let place = 1; place <= places; place += 1) {
    const [row] = await query(tryLock, [`${work} ${place} ${accountId}`]);
    if (row!.taken) return true;
  }
  return false;
}

/** A fixed number that separates these locks from locks for other purposes. */
const seed = 7_216_340_555;

const lock = statement({
  name: 'database.lock_limit',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, ${seed}))`,
});

const tryLock = statement({
  name: 'database.take_place',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1::text, ${seed})) as taken`,
  row: { taken: column.boolean },
});
