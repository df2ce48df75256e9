import type { AccountWriter } from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { occurrenceAt } from '../schedule/occurrences.ts';
import { comingSessions } from './coming-sessions.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';

// Only sessions of a recurrence follow the schedule, not those that were created or moved by a call.
const selectComing = `
  select id, starts_at from webinars.session
  where account_id = ? and webinar_id = ? and kind = 'scheduled' and control = 'clock' and recurrence_key is not null
    and starts_at > ?`;

const ids = `s.account_id = ? and s.id in (select id::uuid from jsonb_array_elements_text(?::jsonb) as i (id))`;

const deleteNeverBooked = `delete from webinars.session s where ${ids} and not s.was_booked`;

const cancelUnbooked = `
  update webinars.session s set status = 'cancelled'
  where ${ids} and s.registered_count = 0`;

const adjustUnbooked = `
  update webinars.session s set status = 'scheduled', timezone = ?, ends_at = starts_at + make_interval(secs => ?)
  where ${ids} and s.registered_count = 0`;

/**
 * Makes the future sessions of a webinar follow its schedule. Sessions with registrations stay unchanged. Of the others that do
 * not match the schedule, those with cancelled registrations are cancelled and the rest are deleted. The caller has locked the
 * webinar, so no booking runs at the same time.
 */
export async function syncSessions(tx: AccountWriter, webinar: Webinar): Promise<void> {
  const { em, accountId, now } = tx;
  const coming = await em.execute<{ id: string; starts_at: Date }[]>(selectComing, [
    accountId,
    webinar.id,
    now,
  ]);
  const isWanted = (startsAt: Date): boolean =>
    occurrenceAt(webinar, new Date(startsAt).getTime()) !== undefined;
  const wanted = coming.filter((session) => isWanted(session.starts_at)).map(({ id }) => id);
  const stale = coming.filter((session) => !isWanted(session.starts_at)).map(({ id }) => id);
  if (stale.length > 0) {
    await em.execute(deleteNeverBooked, [accountId, JSON.stringify(stale)], 'run');
    await em.execute(cancelUnbooked, [accountId, JSON.stringify(stale)], 'run');
  }
  if (wanted.length > 0) {
    const { timezone, durationSeconds } = webinar;
    await em.execute(adjustUnbooked, [timezone, durationSeconds, accountId, JSON.stringify(wanted)], 'run');
  }
  const rows = comingSessions(webinar, now).map((draft) => draftToRow(webinar, draft));
  await insertSessions(tx, rows);
}
