import { defineEntity, p } from '@mikro-orm/postgresql';

/** The event stream: append-only, partitioned by month on the UUIDv7 id. */
export const AttendeeEventRow = defineEntity({
  name: 'AttendeeEvent',
  tableName: 'attendee_event',
  schema: 'attendees',
  indexes: [
    {
      name: 'attendee_event_interaction_index',
      expression: `create index attendee_event_interaction_index
        on attendees.attendee_event (account_id, (data ->> 'interactionId'), type, id)
        where type in ('interaction_view', 'cta_click', 'poll_response')`,
    },
    {
      name: 'attendee_event_download_index',
      expression: `create index attendee_event_download_index
        on attendees.attendee_event (account_id, (data ->> 'interactionId'), id) where type = 'handout_download'`,
    },
    {
      name: 'attendee_event_chat_index',
      expression: `create index attendee_event_chat_index
        on attendees.attendee_event (account_id, session_id, id) where type = 'chat_response'`,
    },
    { name: 'attendee_event_registration_index', properties: ['accountId', 'registrationId', 'id'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    registrationId: p.uuid(),
    type: p.text(),
    occurredAt: p.datetime(3),
    data: p.json<Record<string, unknown>>(),
  },
});
