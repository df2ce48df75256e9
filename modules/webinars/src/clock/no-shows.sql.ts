// Statements that find no-shows: the registrations of a session, page by page, in the order of their ids.
import type { Statement } from '@service/database';

/** Sessions per round. */
const sessionsMax = 1000;

export const pageMax = 2000;

/** $1 now. Only sessions whose attendees have been made due for their last presence check (`closing_at is null`). */
export const selectDueSessions: Statement = {
  name: 'webinars.select_no_show_sessions',
  text: `
    select account_id, id from webinars.session where no_show_at <= $1 and closing_at is null
    order by no_show_at limit ${sessionsMax}`,
};

/** $1 account, $2 session, $3 now. No row if another worker has locked it. */
export const lockSession: Statement = {
  name: 'webinars.lock_no_show_session',
  text: `
    select s.*, w.status as webinar_status, (w.attendance ->> 'minSeconds')::int as min_seconds
    from webinars.session s join webinars.webinar w on w.account_id = s.account_id and w.id = s.webinar_id
    where s.account_id = $1 and s.id = $2 and s.no_show_at <= $3
    for no key update of s skip locked`,
};

/** $1 account, $2 session, $3 the last registration of the page before. */
export const selectPage: Statement = {
  name: 'webinars.select_no_show_page',
  text: `
    select id, status from webinars.registration where account_id = $1 and session_id = $2 and id > $3
    order by id limit ${pageMax}`,
};

/**
 * $1 account, $2 registrations. Locks in the order that other transactions use within a session, against deadlocks. Filters only
 * by id: with outdated statistics after a large import, the planner would use the status index and read all rows for each id.
 */
export const lockRegistrations: Statement = {
  name: 'webinars.lock_no_show_registrations',
  text: `
    select * from webinars.registration where account_id = $1 and id = any($2::uuid[])
    order by email for no key update`,
};

/** $1 account, $2 registrations that this transaction has locked. */
export const markAbsent: Statement = {
  name: 'webinars.mark_no_shows',
  text: `update webinars.registration set status = 'no_show' where account_id = $1 and id = any($2::uuid[])`,
};

/** $1 account, $2 session. */
export const markFinished: Statement = {
  name: 'webinars.mark_no_shows_found',
  text: 'update webinars.session set no_show_at = null where account_id = $1 and id = $2',
};
