import type { AccountWriter } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import { nothingDone } from '../attendance/attendance.ts';
import { publishEvents } from '../event/attendee-event.ts';
import type { EventSubscriber, EventInterest } from '../event/event-subscriber.ts';
import { webinarErrors } from '../errors.ts';
import { bookSession, findSessions, type Booking } from '../session/book-session.ts';
import { shareOpenWebinar } from '../webinar/find-webinar.ts';
import type { Webinar } from '../webinar/webinar.ts';
import { insertRegistrations, type Registered } from './insert-registrations.ts';
import { registrantProblems, sessionTimeOf, type RegistrantInput } from './registrant-input.ts';
import type { Registration } from './registration.ts';

interface RegisterInput extends RegistrantInput {
  webinarId: string;
  source: Registration['source'];
}

/**
 * Books a person into a session. If the session already has a registration with this e-mail address, returns it and fires
 * nothing. Throws webinar_not_found, webinar_not_published, validation_failed, session_full, session_time_unavailable (with the
 * nearest times).
 */
export async function register(
  tx: AccountWriter,
  input: RegisterInput,
  subscriber: EventSubscriber,
): Promise<Registered> {
  const sessionTime = sessionTimeOf(input);
  // Sent together. The second statement runs after the first one has locked the webinar.
  const [webinar, there, interest] = await Promise.all([
    shareOpenWebinar(tx, input.webinarId),
    sessionTime && findSessions(tx, input.webinarId, sessionTime),
    subscriber.findInterest(tx, input.webinarId, 'registered'),
  ]);
  const issues = registrantProblems(webinar, input);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const booking = await bookSession(tx, webinar, { sessionTime, email: input.email, there });
  if (booking.kind === 'unavailable') throw refuseTime(booking);
  const { session } = booking;
  const [registered] = await insertRegistrations(tx, [{ input, session, source: input.source }]);
  await publishRegistered(tx, webinar, [registered!], interest);
  return registered!;
}

/** The error for a time without a bookable session. It contains the nearest times. */
export const refuseTime = ({ nearest }: Extract<Booking, { kind: 'unavailable' }>): AppError =>
  webinarErrors.session_time_unavailable({
    issues: [{ path: 'sessionTime', message: 'Not the start of a bookable session.' }],
    details: { nearest },
  });

/** Publishes `registered` for the new registrations. */
export async function publishRegistered(
  tx: AccountWriter,
  webinar: Webinar,
  registered: readonly Registered[],
  interest: EventInterest,
): Promise<void> {
  const events = registered
    .filter(({ created }) => created)
    .map(({ registration, session }) => {
      const { registeredAt: occurredAt } = registration;
      const happened = { type: 'registered', occurredAt, data: {}, facts: nothingDone } as const;
      return { ...happened, webinar, registration, session };
    });
  await publishEvents(tx, events, interest);
}
