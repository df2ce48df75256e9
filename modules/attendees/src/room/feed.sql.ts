// Statements of the feed, for many sessions at once: $1 account ids, $2 session ids. `place` is the position in these lists, from
// 1.
import { column, statement, type RowsOf } from '@service/database';

const messageRow = {
  place: column.integer,
  id: column.id,
  registration_id: column.id,
  name: column.text,
  text: column.text,
  sent_at: column.text,
};

/**
 * $3 the first id per session, $4 the limit per session, newest first, $5 the lowest id of $3. With $5 the planner skips the
 * partitions before it. With ninety partitions, planning would take longer than everything else here.
 */
export const selectMessages = statement({
  name: 'attendees.select_feed_messages',
  text: `
    select k.place::int, e.id, e.registration_id, r.name, e.data ->> 'message' as text, e.data ->> 'sent_at' as sent_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, session_id, first_id, place)
    cross join lateral (
      select id, registration_id, data from attendees.attendee_event
      where account_id = k.account_id and session_id = k.session_id and type = 'chat_response'
        and id >= k.first_id and id >= $5
      order by id desc
      limit $4
    ) e
    cross join lateral (
      select name from attendees.registration where account_id = k.account_id and id = e.registration_id limit 1
    ) r
    order by e.id`,
  row: messageRow,
});

/** $2 registration ids, $3 the first id per registration, $4 the limit per registration, newest first, $5 the lowest id of $3. */
export const selectOwnMessages = statement({
  name: 'attendees.select_own_messages',
  text: `
    select k.place::int, e.id, r.id as registration_id, r.name, e.data ->> 'message' as text, e.data ->> 'sent_at' as sent_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, registration_id, first_id, place)
    join attendees.registration r on r.account_id = k.account_id and r.id = k.registration_id
    cross join lateral (
      select id, data from attendees.attendee_event
      where account_id = k.account_id and registration_id = k.registration_id and type = 'chat_response'
        and id >= k.first_id and id >= $5
      order by id desc
      limit $4
    ) e
    order by e.id`,
  row: messageRow,
});

/** Number of votes for each option of each poll. */
export const selectCounts = statement({
  name: 'attendees.select_feed_counts',
  text: `
    select k.session_id, jsonb_object_agg(p.interaction_id, p.counts) as counts
    from unnest($1::uuid[], $2::uuid[]) as k (account_id, session_id)
    cross join lateral (
      select c.interaction_id, jsonb_object_agg(c.option_id, c.count) as counts from attendees.poll_count c
      where c.account_id = k.account_id and c.session_id = k.session_id
      group by c.interaction_id
    ) p
    group by k.session_id`,
  row: {
    session_id: column.id,
    // Votes by the id of the poll and of the option.
    counts: column.json<Record<string, Record<string, number>>>(),
  },
});

export const selectNow = statement({
  name: 'attendees.select_feed_now',
  text: 'select clock_timestamp() as now',
  row: { now: column.time },
});

export type MessageRow = RowsOf<typeof selectMessages>;
