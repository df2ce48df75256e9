import { defineEntity, p } from '@mikro-orm/postgresql';

/** The types of attendee events. */
export const attendeeEventTypes = [
  'registered',
  'joined',
  'left',
  'no_show',
  'watched_minutes',
  'watched_percent',
  'video_complete',
  'cta_click',
  'handout_download',
  'poll_response',
  'chat_response',
  'branch_taken',
  'segment_completed',
  'purchase',
  'refund',
] as const;

export type AttendeeEventType = (typeof attendeeEventTypes)[number];

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

/**
 * A registration that has clicked an interaction, one row for each pair. The event stream has every click, but in the order of
 * clicks and only for the time that events are kept; lists of registrations need the order of registrations.
 */
export const Click = defineEntity({
  name: 'Click',
  tableName: 'click',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    interactionId: p.uuid().primary(),
    registrationId: p.uuid().primary(),
  },
});

/** Votes per poll option in a session, for live results. */
export const PollCount = defineEntity({
  name: 'PollCount',
  tableName: 'poll_count',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    interactionId: p.uuid().primary(),
    optionId: p.text().primary(),
    count: p.integer(),
  },
});

/**
 * The responses to an interaction before an event, so that a read counts only the events after it. Without a row all events are
 * counted. The counts stay when old events are deleted.
 */
export const ResponseCount = defineEntity({
  name: 'ResponseCount',
  tableName: 'response_count',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    interactionId: p.uuid().primary(),
    /** An id. Events from it on are not counted. */
    countedBefore: p.uuid(),
    counts: p.json<object[]>(),
  },
});
