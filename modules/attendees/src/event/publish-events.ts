import { type AccountWriter, createId, statement } from '@service/database';
import type { Session, Webinar } from '@service/webinars';
import type { AttendanceFacts } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import type { AttendeeEventType } from '../entities/attendee-event.ts';
import type { EventInterest } from './event-subscriber.ts';

/** An event before it is written. */
export interface EventDraft {
  type: AttendeeEventType;
  occurredAt: Date;
  /** `event_data` of the webhook, with the field names of the specification. */
  data: Record<string, unknown>;
  /** Only for watched_minutes and watched_percent: the minutes or percent that were reached. */
  mark?: number;
}

/** An event with the records that its subscribers need. */
export interface AttendeeEvent extends EventDraft {
  id: string;
  webinar: Pick<Webinar, 'id' | 'title'>;
  registration: Registration;
  session: Pick<Session, 'id' | 'kind' | 'startsAt' | 'endsAt'>;
  /** The attendance at that moment, this event included. */
  facts: AttendanceFacts;
  /** Of `registered`: the caller wants no confirmation mail. */
  suppressConfirmation?: boolean;
}

const insertEvents = statement({
  name: 'attendees.insert_events',
  text: `
  insert into attendees.attendee_event (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
  select $1, id, "webinarId", "sessionId", "registrationId", type, "occurredAt", data
  from jsonb_to_recordset($2::jsonb) as e
    (id uuid, "webinarId" uuid, "sessionId" uuid, "registrationId" uuid, type text, "occurredAt" timestamptz, data jsonb)`,
});

/** An event that timelines and statistics read. Rules and subscriptions do not receive it. */
export interface RecordedEvent extends Omit<EventDraft, 'type' | 'mark'> {
  type: AttendeeEventType | 'interaction_view' | 'moved';
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
  tx.defer(insertEvents, [tx.accountId, JSON.stringify(events)]);
  recordClicks(tx, events);
}

// Rows of one registration only meet in transactions that have locked its attendance, so no two batches wait for each other.
const insertClicks = statement({
  name: 'attendees.insert_clicks',
  text: `
  insert into attendees.click (account_id, interaction_id, registration_id)
  select distinct $1::uuid, interaction_id, registration_id
  from unnest($2::uuid[], $3::uuid[]) as c (interaction_id, registration_id)
  on conflict do nothing`,
});

const clickTypes: ReadonlySet<string> = new Set([
  'cta_click',
  'handout_download',
] satisfies AttendeeEventType[]);

function recordClicks(tx: Pick<AccountWriter, 'defer' | 'accountId'>, events: readonly EventRow[]): void {
  const clicks = events.filter(({ type }) => clickTypes.has(type));
  if (clicks.length === 0) return;
  tx.defer(insertClicks, [
    tx.accountId,
    clicks.map(({ data }) => data['interactionId']),
    clicks.map(({ registrationId }) => registrationId),
  ]);
}

/** Publishes events of one webinar: writes them in one statement and calls the subscriber. A draft may have its id already. */
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
