// Statements of the presence sweep. They leave out `watched`, the largest column of an attendance.
import { column, statement } from '@service/database';
import { presenceRow } from '../entities/attendance.ts';
import { registrationRow } from '../entities/registration.ts';

const attendance = Object.keys(presenceRow.columns).join(', ');

/** $1 now, $2 limit. Skips rows that a heartbeat or another worker has locked. */
export const lockDue = statement({
  name: 'attendees.lock_due_attendances',
  text: `
    select ${attendance} from attendees.attendance where check_at <= $1
    order by check_at limit $2 for no key update skip locked`,
  allAccounts: 'The presence sweep serves every account.',
  row: presenceRow.columns,
});

/** Like lockDue, without locks and only with the keys. */
export const selectDue = statement({
  name: 'attendees.select_due_attendances',
  text: `
    select account_id, registration_id, webinar_id from attendees.attendance where check_at <= $1
    order by check_at limit $2`,
  allAccounts: 'The presence sweep serves every account.',
  row: { account_id: column.id, registration_id: column.id, webinar_id: column.id },
});

/** $1 account, $2 registrations, $3 now. */
export const lockThese = statement({
  name: 'attendees.lock_these_attendances',
  text: `
    select ${attendance} from attendees.attendance
    where account_id = $1 and registration_id = any($2::uuid[]) and check_at <= $3
    for no key update skip locked`,
  row: presenceRow.columns,
});

/** $1 account, $2 registrations, $3 the time of the next check. */
export const putOff = statement({
  name: 'attendees.put_off_attendances',
  text: `
    update attendees.attendance set check_at = $3
    where account_id = $1 and registration_id = any($2::uuid[]) and check_at < $3`,
});

const keys = 'unnest($1::uuid[], $2::uuid[]) as k (account_id, id)';

/** Locks in the same order as registering does, against deadlocks. */
export const lockRegistrations = statement({
  name: 'attendees.lock_swept_registrations',
  text: `
    select r.* from ${keys} join attendees.registration r using (account_id, id)
    order by r.session_id, r.email for no key update of r`,
  row: registrationRow.columns,
});

/** $1 accounts, $2 registrations, $3 to $5 the new values. */
export const updateAttendances = statement({
  name: 'attendees.update_swept_attendances',
  text: `
    update attendees.attendance a set check_at = n.check_at, leaving_at = n.leaving_at, left_at = n.left_at
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
      as n (account_id, registration_id, check_at, leaving_at, left_at)
    where a.account_id = n.account_id and a.registration_id = n.registration_id`,
});

/** For registrations that this transaction has locked. */
export const markAttended = statement({
  name: 'attendees.mark_attended',
  text: `
    update attendees.registration r set status = 'attended' from ${keys}
    where r.account_id = k.account_id and r.id = k.id`,
});
