import { type AccountReader, type AccountWriter, column, statement } from '@service/database';
import { statusAtSql } from '../entities/session.ts';

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

const cancelAll = statement({
  name: 'webinars.cancel_sessions',
  text: `update webinars.session s set status = 'cancelled' where ${notEnded}`,
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

/** Cancels all sessions of a webinar that have not ended, with or without registrations. */
export async function cancelSessions(
  { query, accountId, now }: AccountWriter,
  webinarId: string,
): Promise<void> {
  await query(cancelAll, [accountId, webinarId, now]);
}
