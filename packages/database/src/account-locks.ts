// Advisory locks of an account. They end with the transaction, also when its process dies, and count for all processes.
import type { AccountWriter } from './account-work.ts';

type Locker = Pick<AccountWriter, 'query' | 'accountId'>;

/**
 * Makes the transactions that count against one limit take turns: each counts what the former ones have committed. To be
 * called before the rows are counted. `limit` is a name that is unique in the product, with an id where the limit has one.
 */
export async function lockLimit({ query, accountId }: Locker, limit: string): Promise<void> {
  await query(lock, [`${limit} ${accountId}`]);
}

/**
 * Takes one of the account's few places for a kind of work until the transaction ends. False when all are taken; never
 * waits.
 */
export async function takePlace(
  { query, accountId }: Locker,
  { work, places }: { work: string; places: number },
): Promise<boolean> {
  for (let place = 1; place <= places; place += 1) {
    const [row] = await query<{ taken: boolean }>(tryLock, [`${work} ${place} ${accountId}`]);
    if (row!.taken) return true;
  }
  return false;
}

/** Any fixed number, so that these locks are not those of another purpose. */
const seed = 7_216_340_555;

const lock = {
  name: 'database.lock_limit',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, ${seed}))`,
};

const tryLock = {
  name: 'database.take_place',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1::text, ${seed})) as taken`,
};
