import { defineEntity, p } from '@mikro-orm/postgresql';
import { createId, type AccountWriter } from '@service/database';
import type { AttendanceFacts } from '../attendance/attendance.ts';
import type { Registration } from '../registration/registration.ts';
import type { Session } from '../session/session.ts';
import type { Webinar } from '../webinar/webinar.ts';
import type { AttendeeEventType } from './event-types.ts';
import type { EventInterest } from './event-subscriber.ts';

/** Append-only events of attendees, partitioned by month on their UUIDv7 id. */
export const AttendeeEventRow = defineEntity({
  name: 'AttendeeEvent',
  tableName: 'attendee_event',
  schema: 'webinars',
  indexes: [
    {
      name: 'attendee_event_interaction_index',
      expression: `create index attendee_event_interaction_index
        on webinars.attendee_event (account_id, (data ->> 'interactionId'), type, id)
        where type in ('interaction_view', 'cta_click', 'poll_response')`,
    },
    {
      name: 'attendee_event_chat_index',
      expression: `create index attendee_event_chat_index
        on webinars.attendee_event (account_id, session_id, id) where type = 'chat_response'`,
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

/** An event that is not written yet. */
export interface EventDraft {
  type: AttendeeEventType;
  occurredAt: Date;
  /** `event_data` of the webhook, with the field names of the specification. */
  data: Record<string, unknown>;
  /** Only for watched_minutes and watched_percent: the minutes or percent that were reached. */
  mark?: number;
}

/** An event with the data that subscribers need. */
export interface AttendeeEvent extends EventDraft {
  id: string;
  webinar: Pick<Webinar, 'id' | 'title'>;
  registration: Registration;
  session: Pick<Session, 'id' | 'kind' | 'startsAt'>;
  /** The attendee's facts at that time, this event included. */
  facts: AttendanceFacts;
}

const insertEvents = {
  name: 'webinars.insert_events',
  text: `
  insert into webinars.attendee_event (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
  select $1, id, webinar_id, session_id, registration_id, type, occurred_at, data
  from jsonb_to_recordset($2::jsonb) as e
    (id uuid, webinar_id uuid, session_id uuid, registration_id uuid, type text, occurred_at timestamptz, data jsonb)`,
};

/** Writes events of one webinar in one statement and calls the subscriber. A draft can have an id of its own. */
export async function publishEvents(
  tx: AccountWriter,
  drafts: readonly (Omit<AttendeeEvent, 'id'> & { id?: string })[],
  interest: Pick<EventInterest, 'onEvents'>,
): Promise<void> {
  if (drafts.length === 0) return;
  const events: AttendeeEvent[] = drafts.map((draft) => ({ id: createId(), ...draft }));
  const rows = events.map((event) => ({
    id: event.id,
    webinar_id: event.webinar.id,
    session_id: event.registration.sessionId,
    registration_id: event.registration.id,
    type: event.type,
    occurred_at: event.occurredAt,
    data: event.data,
  }));
  tx.defer(insertEvents, [tx.accountId, JSON.stringify(rows)]);
  await interest.onEvents(tx, events);
}
