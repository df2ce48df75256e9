import { column, statement, type Database, type Transaction } from '@service/database';
import { lockClosingSessions, markSessionsClosed } from '@service/webinars';
import { inBatches, type Batch, type Round } from './round.ts';

const sessionsMax = 200;
const presentMax = 2000;

// In order and without "skip locked", like heartbeats: an attendee who is skipped would stay in the room for another 90 s.
const checkNow = statement({
  name: 'attendees.check_present_now',
  text: `
    with present as (
      select a.account_id, a.registration_id from unnest($2::uuid[], $3::uuid[]) as s (account_id, id)
      join attendees.attendance a on a.account_id = s.account_id and a.session_id = s.id and a.check_at > $1
      order by a.account_id, a.registration_id limit ${presentMax} for no key update of a
    )
    update attendees.attendance a set check_at = $1 from present
    where a.account_id = present.account_id and a.registration_id = present.registration_id
    returning a.registration_id`,
  row: { registration_id: column.id },
});

/** Makes the attendees who are still in the room of an ended session due for their check. Returns how many. */
export const closeSessions = (database: Database, round: Round): Promise<number> =>
  inBatches(round, () => database.transaction((tx) => closeSome(tx, round.now)));

async function closeSome(tx: Transaction, now: Date): Promise<Batch> {
  const closing = await lockClosingSessions(tx, now, sessionsMax);
  if (closing.length === 0) return { done: 0, isFull: false };
  const keys = [closing.map(({ accountId }) => accountId), closing.map(({ id }) => id)];
  const { length: present } = await tx.query(checkNow, [now, ...keys]);
  const isAll = present < presentMax;
  if (isAll) await markSessionsClosed(tx, closing);
  return { done: present, isFull: !isAll || closing.length === sessionsMax };
}
