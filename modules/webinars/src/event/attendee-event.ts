import { defineEntity, p } from '@mikro-orm/postgresql';
import { createId, type AccountWriter } from '@service/database';
import type { AttendanceFacts } from '../attendance/attendance.ts';
import type { Registration } from '../registration/registration.ts';
import type { Session } from '../session/session.ts';
import type { Webinar } from '../webinar/webinar.ts';
import type { AttendeeEventType } from './event-types.ts';
import type { EventInterest } from './event-subscriber.ts';

/** Everything an attendee did, append-only, partitioned by month on its UUIDv7 id. */
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

/** What happened, before it is written. */
export interface EventDraft {
  type: AttendeeEventType;
  occurredAt: Date;
  /** `event_data` of the webhook, by the names of the specification. */
  data: Record<string, unknown>;
  /** Of watched_minutes and watched_percent: the minutes or percent that were reached. */
  mark?: number;
}

/** An event with what its subscribers need to know about it. */
export interface AttendeeEvent extends EventDraft {
  id: string;
  webinar: Pick<Webinar, 'id' | 'title'>;
  registration: Registration;
  session: Pick<Session, 'id' | 'kind' | 'startsAt'>;
  /** What they had done by then, this event included. */
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

/** An event that timelines and statistics read. Rules and subscriptions do not receive it. */
export interface RecordedEvent extends Omit<EventDraft, 'type' | 'mark'> {
  type: AttendeeEventType | 'interaction_view';
}

/** A recorded event and its place. */
interface EventRow extends RecordedEvent {
  id: string;
  webinarId: string;
  sessionId: string;
  registrationId: string;
}

/** Writes events in one statement. No subscriber is called. */
export function recordEvents(
  tx: Pick<AccountWriter, 'defer' | 'accountId'>,
  events: readonly EventRow[],
): void {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    id: event.id,
    webinar_id: event.webinarId,
    session_id: event.sessionId,
    registration_id: event.registrationId,
    type: event.type,
    occurred_at: event.occurredAt,
    data: event.data,
  }));
  tx.defer(insertEvents, [tx.accountId, JSON.stringify(rows)]);
}

/** Writes events of one webinar in one statement and calls the subscriber. A draft may bring its id. */
export async function publishEvents(
  tx: AccountWriter,
  drafts: readonly (Omit<AttendeeEvent, 'id'> & { id?: string })[],
  interest: Pick<EventInterest, 'onEvents'>,
): Promise<void> {
  if (drafts.length === 0) return;
  const events: AttendeeEvent[] = drafts.map((draft) => ({ id: createId(), ...draft }));
  recordEvents(
    tx,
    events.map(({ id, type, occurredAt, data, webinar, registration }) => ({
      id,
      type,
      occurredAt,
      data,
      webinarId: webinar.id,
      sessionId: registration.sessionId,
      registrationId: registration.id,
    })),
  );
  await interest.onEvents(tx, events);
}
