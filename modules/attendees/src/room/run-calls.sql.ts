// The statements of a batch of calls. $1 is the account and $2 are registration ids, unless a comment says otherwise.
import { column, nullable, statement } from '@service/database';
import { attendanceRow } from '../entities/attendance.ts';
import { registrationRow, type Registration } from '../entities/registration.ts';

/** A batch waits this long for each lock that it cannot skip: a poll's counts, the key of a firing, a first visit. */
const lockTimeoutMs = 500;

/**
 * The first statement of a batch. Returns the database's time, which is the time of all its calls, and one row per attendee.
 * Attendance rows that another transaction has locked are skipped (`is_locked`). Without a registration or a visit the columns
 * are null.
 */
export const lockAttendances = statement({
  name: 'attendees.lock_attendances',
  text: `
    with moment as materialized (
      select clock_timestamp() as at, set_config('lock_timeout', '${lockTimeoutMs}', true) as lock_timeout
    )
    select m.at, k.id, r.token_version, r.status, a.*,
      case when a.registration_id is null then (
        select true from attendees.attendance seen where seen.account_id = $1 and seen.registration_id = k.id limit 1
      ) is true else false end as is_locked
    from moment m
    cross join unnest($2::uuid[]) as k (id)
    left join attendees.registration r on r.account_id = $1 and r.id = k.id
    left join lateral (
      select * from attendees.attendance own
      where own.account_id = $1 and own.registration_id = k.id
      for no key update skip locked
    ) a on true
    where m.lock_timeout is not null`,
  row: {
    at: column.time,
    id: column.id,
    token_version: nullable(column.integer),
    status: nullable(column.textOf<Registration['status']>()),
    is_locked: column.boolean,
    ...attendanceRow.columns,
    // Null without a visit, like all columns of the attendance.
    registration_id: nullable(column.id),
  },
});

/**
 * Inserts rows for first visits. $3 now. Does not return a row that another transaction has just inserted. The lock waits for a
 * transaction that moves the registration to another session, and reads the new session then.
 */
export const addAttendances = statement({
  name: 'attendees.add_attendances',
  text: `
    insert into attendees.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at)
    select r.account_id, r.id, r.webinar_id, r.session_id, '[]', $3
    from attendees.registration r
    where r.account_id = $1 and r.id = any($2::uuid[]) and r.status <> 'cancelled'
    order by r.id for key share of r
    on conflict do nothing
    returning *`,
  row: attendanceRow.columns,
});

/** Deletes rows that `addAttendances` has just added, for attendees whose first call was refused. */
export const removeAttendances = statement({
  name: 'attendees.remove_attendances',
  text: 'delete from attendees.attendance where account_id = $1 and registration_id = any($2::uuid[])',
});

export const selectRegistrations = statement({
  name: 'attendees.select_room_registrations',
  text: `select * from attendees.registration where account_id = $1 and id = any($2::uuid[])`,
  row: registrationRow.columns,
});

/** $3 the rows. Large columns that are null in a row stay unchanged. The ids let Postgres read only these rows. */
export const updateAttendances = statement({
  name: 'attendees.update_attendances',
  text: `
    update attendees.attendance a set
      visits = n.visits, first_joined_at = n."firstJoinedAt", join_count = n."joinCount", last_seen_at = n."lastSeenAt",
      leaving_at = n."leavingAt", left_at = n."leftAt", check_at = n."checkAt", position_seconds = n."positionSeconds",
      watched = coalesce(decode(n.watched, 'base64'), a.watched), watched_seconds = n."watchedSeconds",
      completion_percent = n."completionPercent", completed_at = n."completedAt",
      replay_watched_at = coalesce(n."replayWatchedAt", a.replay_watched_at),
      clicks = coalesce(n.clicks, a.clicks), answers = coalesce(n.answers, a.answers),
      views = coalesce(n.views, a.views), path = coalesce(n.path, a.path),
      replay_path = coalesce(n."replayPath", a.replay_path)
    from json_to_recordset($3::json) as n
      ("registrationId" uuid, visits jsonb, "firstJoinedAt" timestamptz, "joinCount" int,
       "lastSeenAt" timestamptz, "leavingAt" timestamptz, "leftAt" timestamptz, "checkAt" timestamptz, "positionSeconds" int,
       watched text, "watchedSeconds" int, "completionPercent" int, "completedAt" timestamptz, "replayWatchedAt" timestamptz, clicks jsonb, answers jsonb,
       views jsonb, path jsonb, "replayPath" jsonb)
    where a.account_id = $1 and a.registration_id = any($2::uuid[]) and a.registration_id = n."registrationId"`,
});

/**
 * Sets registrations to `attending`, but not cancelled ones. Returns the statuses from before. Registrations that another
 * transaction has locked are skipped and not returned.
 */
export const markAttending = statement({
  name: 'attendees.mark_attending',
  text: `
    with own as (
      select id, status from attendees.registration
      where account_id = $1 and id = any($2::uuid[])
      for no key update skip locked
    ), marked as (
      update attendees.registration r set status = 'attending' from own
      where r.account_id = $1 and r.id = own.id and own.status not in ('cancelled', 'test')
    )
    select id, status from own`,
  row: { id: column.id, status: column.textOf<Registration['status']>() },
});

/** $1 the votes, one row per option, not the account. Sorted, so that concurrent batches do not deadlock. */
export const addVotes = statement({
  name: 'attendees.add_votes',
  text: `
    insert into attendees.poll_count as p (account_id, session_id, interaction_id, option_id, count)
    select account_id, session_id, interaction_id, option_id, count
    from json_to_recordset($1::json) as v
      (account_id uuid, session_id uuid, interaction_id uuid, option_id text, count int)
    order by account_id, session_id, interaction_id, option_id
    on conflict (account_id, session_id, interaction_id, option_id) do update set count = p.count + excluded.count`,
});

/** $2 session ids, $3 interaction ids. */
export const selectCounts = statement({
  name: 'attendees.select_poll_counts',
  text: `
    select p.session_id, p.interaction_id, p.option_id, p.count
    from unnest($2::uuid[], $3::uuid[]) as k (session_id, interaction_id)
    join attendees.poll_count p
      on p.account_id = $1 and p.session_id = k.session_id and p.interaction_id = k.interaction_id`,
  row: { session_id: column.id, interaction_id: column.id, option_id: column.text, count: column.integer },
});
