import type { AccountWriter } from '@service/database';
import { statusAtSql } from './status-at.ts';

const notEnded = `s.account_id = ? and s.webinar_id = ? and (${statusAtSql}) in ('scheduled', 'live')`;

const anyRegistered = `select from webinars.session s where ${notEnded} and s.registered_count > 0 limit 1`;

// Publishing makes sessions of the schedule again. Sessions that were created by a call stay.
const deleteUnreferenced = `
  delete from webinars.session s where ${notEnded} and (s.kind <> 'scheduled' or s.recurrence_key is not null)
    and not s.was_booked`;

const cancelPlanned = `
  update webinars.session s set status = 'cancelled' where ${notEnded} and s.recurrence_key is not null`;

const cancelAll = `update webinars.session s set status = 'cancelled' where ${notEnded}`;

/**
 * Removes the sessions of a webinar that becomes a draft. Returns false and changes nothing if a session that has not ended has
 * registrations. The caller has locked the webinar, so no booking runs at the same time.
 */
export async function dropSessions(
  { em, accountId, now }: AccountWriter,
  webinarId: string,
): Promise<boolean> {
  const parameters = [accountId, webinarId, now, now];
  const registered = await em.execute<object[]>(anyRegistered, parameters);
  if (registered.length > 0) return false;
  await em.execute(deleteUnreferenced, parameters, 'run');
  await em.execute(cancelPlanned, parameters, 'run');
  return true;
}

/** Cancels all sessions of a webinar that have not ended, with or without registrations. */
export async function cancelSessions(
  { em, accountId, now }: AccountWriter,
  webinarId: string,
): Promise<void> {
  await em.execute(cancelAll, [accountId, webinarId, now, now], 'run');
}
