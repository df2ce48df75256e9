// Places of a session. `registeredCount` changes in the transaction of the registration. Locks are always taken in this
// order, so that no two transactions wait for each other: lockFreePlaces, registrations, the session's row.
import { column, statement, type AccountWriter } from '@service/database';
import type { Session } from '../entities/session.ts';

// Bookings of a session with a capacity take turns from here to their commit. An advisory lock and not the row's: it comes
// before the registrations, the row after them.
const lockPlaces = statement({
  name: 'webinars.lock_places',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, 7216340556))`,
});

const selectCount = statement({
  name: 'webinars.select_registered_count',
  text: 'select registered_count from webinars.session where account_id = $1 and id = $2',
  row: { registered_count: column.integer },
});

/** Free places of a session. No other transaction takes one until the end of this one. */
export async function lockFreePlaces(
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  session: Pick<Session, 'id'>,
  capacity: number,
): Promise<number> {
  // Both are sent at once. The second statement sees changes that were committed while the first one waited.
  const [, [row]] = await Promise.all([
    query(lockPlaces, [session.id]),
    query(selectCount, [accountId, session.id]),
  ]);
  return capacity - row!.registered_count;
}

// The rows are locked in the order of their ids, so that two bulk calls never wait for each other in a circle.
const changeCounts = statement({
  name: 'webinars.change_registered_counts',
  text: `
    with locked as (
      select s.id, k.change from unnest($2::uuid[], $3::int[]) as k (id, change)
      join webinars.session s on s.account_id = $1 and s.id = k.id
      order by s.id for no key update of s
    )
    update webinars.session s set registered_count = s.registered_count + locked.change, was_booked = true
    from locked where s.account_id = $1 and s.id = locked.id`,
});

/**
 * Counts new registrations by the id of their session. Written with the commit: registrations of one session wait for each other
 * only there.
 */
export function takePlaces(tx: AccountWriter, countBySession: ReadonlyMap<string, number>): void {
  if (countBySession.size === 0) return;
  tx.defer(changeCounts, [tx.accountId, [...countBySession.keys()], [...countBySession.values()]]);
}

/** Counts a registration that was cancelled. Written with the commit. */
export const releasePlace = (tx: AccountWriter, sessionId: string): void =>
  tx.defer(changeCounts, [tx.accountId, [sessionId], [-1]]);
