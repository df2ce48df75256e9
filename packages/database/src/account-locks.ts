// Advisory locks of an account. They apply to all processes, and end with the transaction, also when its process dies.
import type { AccountWriter } from './account-work.ts';
import { statement } from './query.ts';
import { column } from './row.ts';

type Locker = Pick<AccountWriter, 'query' | 'accountId'>;

/**
 * Locks a limit, so that the transactions that count its rows take turns. Call it before the rows are counted. `limit` is a name
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
