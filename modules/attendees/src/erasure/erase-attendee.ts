// The part of this module in an erasure: what the registrations of the person have left behind.
import { column, statement } from '@service/database';
import type { ErasePerson } from '@service/module';
import { lockResponseCounts } from '../response/count-responses.ts';

const eventsMax = 2000;
/** Messages of others that quote the person, in one session. */
const answersMax = 10_000;

// Others may have quoted a message of the person. Kept counts of responses include the person. A room call that was running may have written an attendance again. $3: at most.
const deleteEvents = statement({
  name: 'attendees.delete_events_of_person',
  text: `
    with found as materialized (
      select f.id from attendees.attendee_event f where f.account_id = $1 and f.registration_id = any($2::uuid[]) limit $3
    ), gone as (
      delete from attendees.attendee_event e using found where e.account_id = $1 and e.id = found.id
      returning e.id, e.session_id, e.registration_id, e.type, e.data ->> 'interactionId' as interaction_id
    ), clicks as (
      delete from attendees.click c using (
        select distinct registration_id, interaction_id::uuid as interaction_id from gone where type in ('cta_click', 'handout_download')
      ) clicked
      where c.account_id = $1 and c.interaction_id = clicked.interaction_id and c.registration_id = clicked.registration_id
    ), counts as (
      delete from attendees.response_count n using (select distinct interaction_id::uuid as interaction_id from gone) counted
      where n.account_id = $1 and n.interaction_id = counted.interaction_id
    ), quotes as (
      update attendees.presenter_message m set reply_to = null from gone
      where gone.type = 'chat_response' and m.account_id = $1 and m.session_id = gone.session_id and m.reply_to ->> 'id' = gone.id::text
    ), answers as (
      update attendees.attendee_event a set data = a.data - 'reply_to' from (
        select answer.id from (
          select session_id, array_agg(id::text) as ids from gone where type = 'chat_response' group by session_id
        ) said cross join lateral (
          select o.id from attendees.attendee_event o
          where o.account_id = $1 and o.session_id = said.session_id and o.type = 'chat_response'
            and o.data -> 'reply_to' ->> 'id' = any(said.ids) and o.registration_id <> all($2::uuid[])
          limit ${answersMax}
        ) answer
      ) quoting
      where a.account_id = $1 and a.id = quoting.id
    ), attendances as (
      delete from attendees.attendance v where v.account_id = $1 and v.registration_id = any($2::uuid[])
    )
    select count(*)::int as count from gone`,
  row: { count: column.integer },
});

export const eraseAttendee: ErasePerson = async ({ query, accountId }, { registrationIds }) => {
  await lockResponseCounts({ query, accountId });
  const [gone] = await query(deleteEvents, [accountId, registrationIds, eventsMax]);
  return gone!.count === eventsMax ? 'more' : null;
};
