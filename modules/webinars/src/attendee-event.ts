import { defineEntity, p } from '@mikro-orm/postgresql';
import { createId, type AccountWriter } from '@service/database';
import type { Registration } from './registration.ts';
import type { Webinar } from './webinar.ts';

/** Everything an attendee did, append-only, partitioned by day on its UUIDv7 id. */
export const AttendeeEventRow = defineEntity({
  name: 'AttendeeEvent',
  tableName: 'attendee_event',
  schema: 'webinars',
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

/** An event with what its followers need to know about it. */
export interface AttendeeEvent {
  id: string;
  type: 'registered';
  occurredAt: Date;
  data: Record<string, unknown>;
  webinar: Pick<Webinar, 'id' | 'title'>;
  registration: Registration;
}

/** Follows every event inside the transaction that wrote it: what it writes is committed with the event or not at all. */
export type OnAttendeeEvent = (tx: AccountWriter, event: AttendeeEvent) => Promise<void>;

/** Writes an event and lets its follower act on it. */
export async function publishEvent(
  tx: AccountWriter,
  draft: Omit<AttendeeEvent, 'id'>,
  onEvent: OnAttendeeEvent,
): Promise<void> {
  const event: AttendeeEvent = { id: createId(), ...draft };
  await tx.em.execute(
    `insert into webinars.attendee_event (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tx.accountId,
      event.id,
      event.webinar.id,
      event.registration.sessionId,
      event.registration.id,
      event.type,
      event.occurredAt,
      JSON.stringify(event.data),
    ],
  );
  await onEvent(tx, event);
}
