import type { AccountWriter } from '@service/database';
import { statusAtSql } from './status-at.ts';

const notEnded = `s.account_id = ? and s.webinar_id = ? and (${statusAtSql}) in ('scheduled', 'live')`;

const anyRegistered = `
  select from webinars.session s
  join webinars.registration r on r.account_id = s.account_id and r.session_id = s.id and r.status <> 'cancelled'
  where ${notEnded} limit 1`;

// Sessions that only a schedule asked for come back with publishing; what was made by hand stays.
const deleteUnreferenced = `
  delete from webinars.session s where ${notEnded} and (s.kind <> 'scheduled' or s.recurrence_key is not null)
    and not exists (
      select from webinars.registration r where r.account_id = s.account_id and r.session_id = s.id)`;

const cancelPlanned = `
  update webinars.session s set status = 'cancelled' where ${notEnded} and s.recurrence_key is not null`;

const cancelAll = `update webinars.session s set status = 'cancelled' where ${notEnded}`;

/**
 * Takes back the sessions of a webinar that becomes a draft. False, with nothing changed, when somebody is registered for
 * one that has not ended. The caller has locked the webinar, so no booking is on its way.
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

/** Cancels every session of a webinar that has not ended, whoever is registered. */
export async function cancelSessions(
  { em, accountId, now }: AccountWriter,
  webinarId: string,
): Promise<void> {
  await em.execute(cancelAll, [accountId, webinarId, now, now], 'run');
}
