import type { AccountWriter } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import { findSessionsAt, shareOpenWebinar, webinarErrors, type Webinar } from '@service/webinars';
import { nothingDone } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventInterest, EventSubscriber } from '../event/event-subscriber.ts';
import { publishEvents } from '../event/publish-events.ts';
import { createBooker, type PlaceResult } from './create-booker.ts';
import { upsertRegistrations, type Registered } from './upsert-registrations.ts';
import { registrantProblems, sessionTimeOf, type RegistrantInput } from './registrant-input.ts';

interface RegisterInput extends RegistrantInput {
  webinarId: string;
  source: Registration['source'];
}

/**
 * Registers a person for a session. The same session and e-mail address again returns the existing registration and publishes
 * nothing. Throws webinar_not_found, webinar_not_published, validation_failed, session_full, session_time_unavailable (with
 * the nearest times).
 */
export async function register(
  tx: AccountWriter,
  input: RegisterInput,
  subscriber: EventSubscriber,
): Promise<Registered> {
  const sessionTime = sessionTimeOf(input);
  // Sent together. The second is answered after the first has taken its lock.
  const [webinar, known, interest] = await Promise.all([
    shareOpenWebinar(tx, input.webinarId),
    sessionTime && findSessionsAt(tx, input.webinarId, sessionTime),
    subscriber.findInterest(tx, input.webinarId, 'registered'),
  ]);
  const issues = registrantProblems(webinar, input);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const { email, source } = input;
  const place = await createBooker(tx, webinar, [email])({ sessionTime, email, known });
  if (place.kind !== 'booked') throw refusePlace(place);
  const [registered] = await upsertRegistrations(tx, [{ input, session: place.session, source }]);
  await publishRegistered(tx, webinar, [registered!], interest);
  return registered!;
}

/** The error for a person who gets no place: the session is full, or the time is not offered. */
export const refusePlace = (place: Exclude<PlaceResult, { kind: 'booked' }>): AppError =>
  place.kind === 'full'
    ? webinarErrors.session_full()
    : attendeeErrors.session_time_unavailable({
        issues: [{ path: 'sessionTime', message: 'Not the start of a bookable session.' }],
        details: { nearest: place.nearest },
      });

/** Publishes `registered` for the registrations that are new. */
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
