import { createId, type AccountWriter } from '@service/database';
import type { z } from 'zod';
import { publishEvents, type OnAttendeeEvents } from '../event/attendee-event.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import { Registration } from './registration.ts';
import type { CreateRegistrationInput } from './schemas.ts';
import type { Session } from '../session/session.ts';
import { bookSession } from '../session/book-session.ts';

interface RegisterInput extends z.output<typeof CreateRegistrationInput> {
  source: Registration['source'];
}

/**
 * Books a person into a session. The same session and e-mail again gives the registration that is there and fires nothing.
 * Throws webinar_not_found, webinar_not_published, session_time_unavailable (with the nearest times).
 */
export async function register(
  tx: AccountWriter,
  input: RegisterInput,
  onEvents: OnAttendeeEvents,
): Promise<{ registration: Registration; session: Session; created: boolean }> {
  const webinar = await findWebinar(tx, input.webinarId);
  if (webinar.status !== 'published') throw webinarErrors.webinar_not_published();
  const time = new Date(input.sessionTime);
  const booking = await bookSession(tx, webinar, time);
  if (booking.kind === 'unavailable') {
    throw webinarErrors.session_time_unavailable({
      issues: [{ path: 'sessionTime', message: 'Not the start of a bookable session.' }],
      details: { nearest: booking.nearest },
    });
  }
  const { session } = booking;
  const registration = await insertRegistration(tx, input, session);
  if (!registration)
    return { registration: await existing(tx, session, input.email), session, created: false };
  const event = { type: 'registered', occurredAt: tx.now, data: {}, webinar, registration } as const;
  await publishEvents(tx, [event], onEvents);
  return { registration, session, created: true };
}

/** Null when the session already has that e-mail address. Waits for a simultaneous insert of the same to end. */
async function insertRegistration(
  tx: AccountWriter,
  input: RegisterInput,
  session: Session,
): Promise<Registration | null> {
  const registration: Registration = {
    accountId: tx.accountId,
    id: createId(),
    webinarId: session.webinarId,
    sessionId: session.id,
    name: input.name,
    email: input.email,
    utmSource: input.utm.source,
    utmMedium: input.utm.medium,
    utmCampaign: input.utm.campaign,
    source: input.source,
    registeredAt: tx.now,
  };
  const inserted = await tx.em.execute<unknown[]>(
    `insert into webinars.registration
       (account_id, id, webinar_id, session_id, name, email, utm_source, utm_medium, utm_campaign, source, registered_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict on constraint registration_session_email_unique do nothing returning id`,
    Object.values(registration),
  );
  return inserted.length > 0 ? registration : null;
}

const existing = (tx: AccountWriter, session: Session, email: string): Promise<Registration> =>
  tx.em.findOneOrFail(Registration, { accountId: tx.accountId, sessionId: session.id, email });
