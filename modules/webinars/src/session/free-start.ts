import { statement, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { Session } from '../entities/session.ts';
import { webinarErrors } from '../errors.ts';

// Without registrations, the only use of a cancelled session is to stop the schedule from offering its start.
const deleteCancelled = statement({
  name: 'webinars.delete_cancelled_session',
  text: `
    delete from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and starts_at = $3 and status = 'cancelled' and not was_booked`,
});

/**
 * Makes sure that a scheduled session can start at this time. Deletes a cancelled session there that never had a registration.
 * The caller has locked the webinar. Throws validation_failed for a start in the past, session_exists.
 */
export async function freeStart(tx: AccountWriter, webinarId: string, startsAt: Date): Promise<void> {
  const { em, query, accountId, now } = tx;
  if (startsAt <= now) {
    throw commonErrors.validation_failed({
      issues: [{ path: 'startsAt', message: 'Must be in the future.' }],
    });
  }
  await query(deleteCancelled, [accountId, webinarId, startsAt]);
  const taken = await em.count(Session, { accountId, webinarId, kind: 'scheduled', startsAt });
  if (taken > 0) throw webinarErrors.session_exists();
}
