// Statements of the feed, for many sessions at once: $1 account ids, $2 session ids. `place` is the position in these lists, from
// 1.
import type { Statement } from '@service/database';

/**
 * $3 the first id per session, $4 the limit per session, newest first, $5 the lowest id of $3. With $5 the planner skips the
 * partitions before it. With ninety partitions, planning would take longer than everything else here.
 */
export const selectMessages: Statement = {
  name: 'webinars.select_feed_messages',
  text: `
    select k.place::int, e.id, e.registration_id, r.name, e.data ->> 'message' as text, e.data ->> 'sent_at' as sent_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, session_id, first_id, place)
    cross join lateral (
      select id, registration_id, data from webinars.attendee_event
      where account_id = k.account_id and session_id = k.session_id and type = 'chat_response'
        and id >= k.first_id and id >= $5
      order by id desc
      limit $4
    ) e
    join webinars.registration r on r.account_id = k.account_id and r.id = e.registration_id
    order by e.id`,
};

/** $1 account, $2 registration, $3 the first id, $4 limit. */
export const selectOwnMessages: Statement = {
  name: 'webinars.select_own_messages',
  text: `
    select e.id, e.registration_id, r.name, e.data ->> 'message' as text, e.data ->> 'sent_at' as sent_at
    from webinars.attendee_event e
    join webinars.registration r on r.account_id = e.account_id and r.id = e.registration_id
    where e.account_id = $1 and e.registration_id = $2 and e.type = 'chat_response' and e.id >= $3
    order by e.id desc
    limit $4`,
};

/** $3 webinar ids. Finds polls with answers and live results. */
export const selectPolls: Statement = {
  name: 'webinars.select_feed_polls',
  text: `
    select k.place::int, i.id, i.details -> 'options' as options, c.counts
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, session_id, webinar_id, place)
    join webinars.interaction i
      on i.account_id = k.account_id and i.webinar_id = k.webinar_id
      and i.type = 'poll' and i.enabled and i.details ->> 'results' = 'live'
    cross join lateral (
      select jsonb_object_agg(p.option_id, p.count) as counts from webinars.poll_count p
      where p.account_id = k.account_id and p.session_id = k.session_id and p.interaction_id = i.id
    ) c
    where c.counts is not null
    order by i.show_at_seconds, i.id`,
};

/** Finds API-controlled sessions. */
export const selectProgress: Statement = {
  name: 'webinars.select_feed_progress',
  text: `
    select k.place::int, s.status, s.position_seconds, s.current_segment_id
    from unnest($1::uuid[], $2::uuid[]) with ordinality as k (account_id, session_id, place)
    join webinars.session s on s.account_id = k.account_id and s.id = k.session_id and s.control = 'api'`,
};

export const selectNow: Statement = {
  name: 'webinars.select_feed_now',
  text: 'select clock_timestamp() as now',
};
