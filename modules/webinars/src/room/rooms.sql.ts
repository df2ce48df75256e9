// What a batch of calls reads and writes. $1 and $2 are always the account ids and the registration ids of its attendees.
import type { Statement } from '@service/database';

const keys = `unnest($1::uuid[], $2::uuid[]) as k (account_id, registration_id)`;

/** Rows for those who come for the first time. In order, like the locks, so that two batches never wait in a circle. */
export const addAttendances: Statement = {
  name: 'webinars.add_attendances',
  text: `
    insert into webinars.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at)
    select r.account_id, r.id, r.webinar_id, r.session_id, '[]', $3
    from ${keys} join webinars.registration r on r.account_id = k.account_id and r.id = k.registration_id
    where r.status <> 'cancelled'
    order by r.account_id, r.id
    on conflict do nothing`,
};

export const selectRegistrations: Statement = {
  name: 'webinars.select_room_registrations',
  text: `
    select r.* from ${keys}
    join webinars.registration r on r.account_id = k.account_id and r.id = k.registration_id`,
};

export const lockAttendances: Statement = {
  name: 'webinars.lock_attendances',
  text: `
    select a.*, r.token_version, r.status from ${keys}
    join webinars.attendance a on a.account_id = k.account_id and a.registration_id = k.registration_id
    join webinars.registration r on r.account_id = k.account_id and r.id = k.registration_id
    order by a.account_id, a.registration_id
    for no key update of a`,
};

/** $2 session ids. */
export const selectSessions: Statement = {
  name: 'webinars.select_room_sessions',
  text: `
    select s.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id)
    join webinars.session s on s.account_id = k.account_id and s.id = k.id`,
};

/** $2 webinar ids. */
export const selectWebinars: Statement = {
  name: 'webinars.select_room_webinars',
  text: `
    select w.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id)
    join webinars.webinar w on w.account_id = k.account_id and w.id = k.id`,
};

/** $2 webinar ids, $3 the interaction that is asked for, or null for all of the webinar. */
export const selectInteractions: Statement = {
  name: 'webinars.select_room_interactions',
  text: `
    select distinct on (i.show_at_seconds, i.id) i.*
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (account_id, webinar_id, id)
    join webinars.interaction i
      on i.account_id = k.account_id and i.webinar_id = k.webinar_id and (k.id is null or i.id = k.id)
    where i.enabled
    order by i.show_at_seconds, i.id`,
};

/** $1 the rows. What is null there stays as it is, but for times, which are always given. */
export const updateAttendances: Statement = {
  name: 'webinars.update_attendances',
  text: `
    update webinars.attendance a set
      visits = n.visits, first_joined_at = n.first_joined_at, join_count = n.join_count, last_seen_at = n.last_seen_at,
      leaving_at = n.leaving_at, left_at = n.left_at, check_at = n.check_at, position_seconds = n.position_seconds,
      watched = coalesce(decode(n.watched, 'base64'), a.watched), watched_seconds = n.watched_seconds,
      completion_percent = n.completion_percent, completed_at = n.completed_at,
      clicks = coalesce(n.clicks, a.clicks), answers = coalesce(n.answers, a.answers), path = coalesce(n.path, a.path)
    from json_to_recordset($1::json) as n
      (account_id uuid, registration_id uuid, visits jsonb, first_joined_at timestamptz, join_count int,
       last_seen_at timestamptz, leaving_at timestamptz, left_at timestamptz, check_at timestamptz, position_seconds int,
       watched text, watched_seconds int, completion_percent int, completed_at timestamptz, clicks jsonb, answers jsonb,
       path jsonb)
    where a.account_id = n.account_id and a.registration_id = n.registration_id`,
};

/** Those who are in the room now. Who cancelled in the meantime is not among them. */
export const markAttending: Statement = {
  name: 'webinars.mark_attending',
  text: `
    update webinars.registration r set status = 'attending' from ${keys}
    where r.account_id = k.account_id and r.id = k.registration_id and r.status <> 'cancelled'
    returning r.account_id, r.id`,
};

/** $1 the votes, one row for each option. In order, like every lock that several take. */
export const addVotes: Statement = {
  name: 'webinars.add_votes',
  text: `
    insert into webinars.poll_count as p (account_id, session_id, interaction_id, option_id, count)
    select account_id, session_id, interaction_id, option_id, count
    from json_to_recordset($1::json) as v
      (account_id uuid, session_id uuid, interaction_id uuid, option_id text, count int)
    order by account_id, session_id, interaction_id, option_id
    on conflict (account_id, session_id, interaction_id, option_id) do update set count = p.count + excluded.count`,
};

/** $2 session ids, $3 interaction ids. */
export const selectCounts: Statement = {
  name: 'webinars.select_poll_counts',
  text: `
    select p.session_id, p.interaction_id, p.option_id, p.count
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (account_id, session_id, interaction_id)
    join webinars.poll_count p
      on p.account_id = k.account_id and p.session_id = k.session_id and p.interaction_id = k.interaction_id`,
};
