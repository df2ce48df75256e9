import type { Database, Transaction } from '@service/database';
import { inBatches, type Batch, type Round } from './round.ts';

const sessionsMax = 200;
const presentMax = 2000;

const lockDue = {
  name: 'webinars.lock_closing_sessions',
  text: `
    select account_id, id from webinars.session where closing_at <= $1
    order by closing_at limit ${sessionsMax} for no key update skip locked`,
};

// Waits for locked rows, in the order in which heartbeats lock them. An attendee who was skipped would count as present for
// another 90 s.
const callUp = {
  name: 'webinars.call_up_present',
  text: `
    with present as (
      select a.account_id, a.registration_id from unnest($2::uuid[], $3::uuid[]) as s (account_id, id)
      join webinars.attendance a on a.account_id = s.account_id and a.session_id = s.id and a.check_at > $1
      order by a.account_id, a.registration_id limit ${presentMax} for no key update of a
    )
    update webinars.attendance a set check_at = $1 from present
    where a.account_id = present.account_id and a.registration_id = present.registration_id
    returning a.registration_id`,
};

const markClosed = {
  name: 'webinars.mark_sessions_closed',
  text: `
    update webinars.session s set closing_at = null from unnest($1::uuid[], $2::uuid[]) as k (account_id, id)
    where s.account_id = k.account_id and s.id = k.id`,
};

/** Makes the presence check due now for all attendees who are still in the room of an ended session. Returns their number. */
export const closeSessions = (database: Database, round: Round): Promise<number> =>
  inBatches(round, () => database.transaction((tx) => closeSome(tx, round.now)));

async function closeSome({ query }: Transaction, now: Date): Promise<Batch> {
  const due = await query<{ account_id: string; id: string }>(lockDue, [now]);
  if (due.length === 0) return { done: 0, isFull: false };
  const keys = [due.map((session) => session.account_id), due.map((session) => session.id)];
  const { length: calledUp } = await query(callUp, [now, ...keys]);
  const isAll = calledUp < presentMax;
  if (isAll) await query(markClosed, keys);
  return { done: calledUp, isFull: !isAll || due.length === sessionsMax };
}
