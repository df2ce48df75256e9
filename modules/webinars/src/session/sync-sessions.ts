import { column, statement, type AccountWriter } from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { occurrenceAt } from '../schedule/occurrences.ts';
import { comingSessions } from './coming-sessions.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';

// Only sessions of a recurrence follow the schedule, not those that were created or moved by a call.
const selectComing = statement({
  name: 'webinars.select_coming_sessions',
  text: `
    select id, starts_at from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and control = 'clock' and recurrence_key is not null
      and starts_at > $3`,
  row: { id: column.id, starts_at: column.time },
});

// $1 account, $2 ids.
const isNamed = 's.account_id = $1 and s.id = any($2::uuid[])';

const deleteNeverBooked = statement({
  name: 'webinars.delete_never_booked_sessions',
  text: `delete from webinars.session s where ${isNamed} and not s.was_booked`,
});

const cancelUnbooked = statement({
  name: 'webinars.cancel_unbooked_sessions',
  text: `
    update webinars.session s set status = 'cancelled'
    where ${isNamed} and s.registered_count = 0`,
});

const adjustUnbooked = statement({
  name: 'webinars.adjust_unbooked_sessions',
  text: `
    update webinars.session s set status = 'scheduled', timezone = $3, ends_at = starts_at + make_interval(secs => $4)
    where ${isNamed} and s.registered_count = 0`,
});

/**
 * Makes the future sessions of a webinar follow its schedule. Sessions with registrations stay unchanged. Of the others that do
 * not match the schedule, those with cancelled registrations are cancelled and the rest are deleted. The caller has locked the
 * webinar, so no booking runs at the same time.
 */
export async function syncSessions(tx: AccountWriter, webinar: Webinar): Promise<void> {
  const { query, accountId, now } = tx;
  const coming = await query(selectComing, [accountId, webinar.id, now]);
  const isWanted = ({ starts_at: startsAt }: { starts_at: Date }): boolean =>
    occurrenceAt(webinar, startsAt.getTime()) !== undefined;
  const wanted = coming.filter(isWanted).map(({ id }) => id);
  const stale = coming.filter((session) => !isWanted(session)).map(({ id }) => id);
  if (stale.length > 0) {
    await query(deleteNeverBooked, [accountId, stale]);
    await query(cancelUnbooked, [accountId, stale]);
  }
  if (wanted.length > 0)
    await query(adjustUnbooked, [accountId, wanted, webinar.timezone, webinar.durationSeconds]);
  const rows = comingSessions(webinar, now).map((draft) => draftToRow(webinar, draft));
  await insertSessions(tx, rows);
}
