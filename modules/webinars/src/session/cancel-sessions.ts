import { type AccountReader, type AccountWriter, column, statement } from '@service/database';
import { sessionRow, statusAtSql } from '../entities/session.ts';
import type { SessionObservers } from './change-session.ts';

// $1 account, $2 webinar, $3 now.
const notEnded = `s.account_id = $1 and s.webinar_id = $2 and (${statusAtSql('$3')}) in ('scheduled', 'live')`;

const anyRegistered = statement({
  name: 'webinars.find_registered_session',
  text: `select from webinars.session s where ${notEnded} and s.registered_count > 0 limit 1`,
});

// Publishing makes sessions of the schedule again. Sessions that were created by a call stay.
const deleteUnreferenced = statement({
  name: 'webinars.delete_unreferenced_sessions',
  text: `
    delete from webinars.session s where ${notEnded} and (s.kind <> 'scheduled' or s.recurrence_key is not null)
      and not s.was_booked`,
});

const cancelPlanned = statement({
  name: 'webinars.cancel_planned_sessions',
  text: `
    update webinars.session s set status = 'cancelled' where ${notEnded} and s.recurrence_key is not null`,
});

// Only sessions with registrations are returned: the others have no attendees, mails or timers.
const cancelAll = statement({
  name: 'webinars.cancel_sessions',
  text: `
    with cancelled as (
      update webinars.session s set status = 'cancelled' where ${notEnded} returning s.*
    )
    select * from cancelled where registered_count > 0`,
  row: sessionRow.columns,
});

/**
 * Removes the sessions of a webinar that becomes a draft. Returns false and changes nothing if a session that has not ended has
 * registrations. The caller has locked the webinar, so no booking runs at the same time.
 */
export async function dropSessions(
  { query, accountId, now }: AccountWriter,
  webinarId: string,
): Promise<boolean> {
  const values = [accountId, webinarId, now];
  const registered = await query(anyRegistered, values);
  if (registered.length > 0) return false;
  await query(deleteUnreferenced, values);
  await query(cancelPlanned, values);
  return true;
}

// $1 account, $2 webinar, $3 now. Publishing makes sessions with a recurrence follow the schedule again.
const cancelledAhead = `s.account_id = $1 and s.webinar_id = $2 and s.starts_at > $3 and s.status = 'cancelled'
      and s.recurrence_key is not null`;

const deleteNeverBooked = statement({
  name: 'webinars.delete_cancelled_sessions',
  text: `delete from webinars.session s where ${cancelledAhead} and not s.was_booked`,
});

const detachCancelled = statement({
  name: 'webinars.detach_cancelled_sessions',
  text: `update webinars.session s set recurrence_key = null where ${cancelledAhead}`,
});

/**
 * Makes the cancelled sessions of a webinar stay cancelled when it is published again. Those that never had a registration are
 * deleted. The caller has locked the webinar.
 */
export async function fixCancelled(
  { query, accountId, now }: AccountWriter,
  webinarId: string,
): Promise<void> {
  await query(deleteNeverBooked, [accountId, webinarId, now]);
  await query(detachCancelled, [accountId, webinarId, now]);
}

const selectOpen = statement({
  name: 'webinars.count_open_sessions',
  text: `
    select count(*)::int as sessions, coalesce(sum(s.registered_count), 0)::int as registrations
    from webinars.session s where ${notEnded}`,
  row: { sessions: column.integer, registrations: column.integer },
});

/** The sessions of a webinar that have not ended, with their registrations: what archiving cancels. */
export async function countOpenSessions(
  { query, accountId, now }: AccountReader,
  webinarId: string,
): Promise<{ sessions: number; registrations: number }> {
  const [row] = await query(selectOpen, [accountId, webinarId, now]);
  return row!;
}

/** Sessions of one call of the subscriber. */
const chunkMax = 1000;

/** Cancels all sessions of a webinar that have not ended, and calls the subscriber with those that have registrations. */
export async function cancelSessions(
  tx: AccountWriter,
  webinarId: string,
  { subscriber, announce }: SessionObservers,
): Promise<void> {
  const rows = await tx.query(cancelAll, [tx.accountId, webinarId, tx.now]);
  const changes = rows.map((row) => ({ change: 'cancelled', session: sessionRow.toEntity(row) }) as const);
  for (let start = 0; start < changes.length; start += chunkMax)
    await subscriber.onSessions(tx, changes.slice(start, start + chunkMax));
  tx.afterCommit(() => {
    for (const { session } of changes) announce(tx.accountId, session.id);
  });
}
