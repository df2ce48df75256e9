import type { AccountWriter } from '@service/database';
import { acceptsEvents } from '@service/webinars';
import { findAttendees } from '../attendance/find-attendees.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { publishEvents, type EventDraft } from '../event/publish-events.ts';

/** An event that another module found out about an attendee. */
export interface RegistrationEvent extends EventDraft {
  registrationId: string;
}

/**
 * Publishes events of attendees of any webinars, in their order within each webinar. Leaves out unknown and foreign registrations,
 * and webinars that accept no events: drafts, archived and deleted ones.
 */
export async function publishForRegistrations(
  tx: AccountWriter,
  events: readonly RegistrationEvent[],
  subscriber: EventSubscriber,
): Promise<void> {
  const ids = new Set(events.map(({ registrationId }) => registrationId));
  const attendees = await findAttendees(tx, [...ids]);
  const byId = new Map(attendees.map((attendee) => [attendee.registration.id, attendee]));
  const drafts = events.flatMap(({ registrationId, ...event }) => {
    const attendee = byId.get(registrationId);
    return attendee && acceptsEvents(attendee.webinar) ? [{ ...event, ...attendee }] : [];
  });
  for (const [webinarId, own] of Map.groupBy(drafts, ({ webinar }) => webinar.id))
    await publishEvents(tx, own, await subscriber.findInterest(tx, webinarId));
}
