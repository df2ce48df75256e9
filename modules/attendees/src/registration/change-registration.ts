import {
  type AccountWriter,
  column,
  createId,
  isUniqueViolation,
  nullable,
  statement,
} from '@service/database';
import type { Principal } from '@service/trpc';
import {
  releasePlace,
  type Session,
  type SessionSubscriber,
  shareOpenWebinar,
  takePlaces,
} from '@service/webinars';
import type { z } from 'zod';
import { findAttendees } from '../attendance/find-attendees.ts';
import type { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { recordEvents } from '../event/publish-events.ts';
import { createBooker } from './create-booker.ts';
import { findSession, lockRegistration } from './find-registration.ts';
import { refusePlace } from './register.ts';
import type { MoveRegistrationInput, RegistrationInput } from './schemas.ts';

interface Moved {
  registration: Registration;
  session: Session;
}

/** The attendee, the name of a member, or the label of a client. */
export type Mover = { kind: 'attendee' } | { kind: Principal['kind']; name: string };

export const moverOf = (principal: Principal): Mover => ({
  kind: principal.kind,
  name: principal.kind === 'member' ? principal.name : principal.label,
});

/**
 * Moves an attendee who has not joined yet to the session that starts at `sessionTime`. The join link, the answers of the form and
 * the history stay. No event is published, because the attendee registered once. The timeline keeps the move. Moving to their own
 * session changes nothing.
 * Throws webinar_not_found, webinar_not_published, registration_not_found, registration_cancelled, registration_attended,
 * registration_exists, session_full, session_time_unavailable.
 */
export async function moveRegistration(
  tx: AccountWriter,
  { sessionTime, ...where }: z.output<typeof MoveRegistrationInput>,
  { subscriber, by }: { subscriber: EventSubscriber & SessionSubscriber; by: Mover },
): Promise<Moved> {
  const webinar = await shareOpenWebinar(tx, where.webinarId);
  const [known] = await findAttendees(tx, [where.registrationId]);
  if (known?.registration.webinarId !== webinar.id) throw attendeeErrors.registration_not_found();
  const wanted = new Date(sessionTime);
  if (known.registration.status === 'cancelled') throw attendeeErrors.registration_cancelled();
  if (known.session.startsAt.getTime() === wanted.getTime()) return known;
  if (known.registration.status !== 'registered') throw attendeeErrors.registration_attended();
  // The place is locked before the registration; see places.ts of webinars.
  const { email } = known.registration;
  const place = await createBooker(tx, webinar, { emails: [email] })({ sessionTime: wanted, email });
  if (place.kind !== 'booked') throw refusePlace(place);
  const { session } = place;
  const registration = await lockRegistration(tx, where);
  if (registration.sessionId === session.id) return { registration, session };
  if (registration.status === 'cancelled') throw attendeeErrors.registration_cancelled();
  const hasVisited = await requireAbsent(tx, registration);
  await changeSession(tx, { registration, to: session, hasVisited });
  recordMoves(tx, [registration], { from: known.session, to: session, by });
  await subscriber.onSessions(tx, [{ change: 'booked', session }]);
  await subscriber.onRegistration?.(tx, { registration, session, formerStartsAt: known.session.startsAt });
  return { registration, session };
}

interface RecordedMove {
  from: Pick<Session, 'id' | 'startsAt'>;
  to: Pick<Session, 'id' | 'startsAt'>;
  by: Mover;
}

/** Writes moves into the timelines of registrations. Rules and webhooks do not receive them. */
export function recordMoves(
  tx: AccountWriter,
  registrations: readonly Pick<Registration, 'id' | 'webinarId'>[],
  { from, to, by }: RecordedMove,
): void {
  const placeOf = ({ id, startsAt }: RecordedMove['to']) => ({
    sessionId: id,
    sessionTime: startsAt.toISOString(),
  });
  const data = { from: placeOf(from), to: placeOf(to), by };
  recordEvents(
    tx,
    registrations.map(({ id: registrationId, webinarId }) => ({
      id: createId(),
      type: 'moved',
      occurredAt: tx.now,
      data,
      webinarId,
      sessionId: to.id,
      registrationId,
    })),
  );
}

// The row of an attendee who has opened the lobby names the session too. The room locks it before it writes `first_joined_at`.
const lockAttendance = statement({
  name: 'attendees.lock_attendance_to_change',
  text: `
    select first_joined_at from attendees.attendance where account_id = $1 and registration_id = $2 for no key update`,
  row: { first_joined_at: nullable(column.time) },
});

const moveAttendance = statement({
  name: 'attendees.move_attendance',
  text: 'update attendees.attendance set session_id = $3 where account_id = $1 and registration_id = $2',
});

interface SessionChange {
  /** Locked. */
  registration: Registration;
  to: Session;
  /** The attendee has opened the lobby. */
  hasVisited: boolean;
}

async function changeSession(
  tx: AccountWriter,
  { registration, to, hasVisited }: SessionChange,
): Promise<void> {
  const { accountId } = tx;
  const { id, sessionId: from } = registration;
  registration.sessionId = to.id;
  try {
    await tx.em.flush();
  } catch (error) {
    if (isUniqueViolation(error, 'registration_live_unique')) throw attendeeErrors.registration_exists();
    throw error;
  }
  if (hasVisited) await tx.query(moveAttendance, [accountId, id, to.id]);
  takePlaces(
    tx,
    new Map([
      [from, -1],
      [to.id, 1],
    ]),
  );
}

/**
 * Refuses an attendee who has joined, with registration_attended. Locks the attendance, so that they do not join before the commit.
 * True if there is one. The registration is locked.
 */
async function requireAbsent(tx: AccountWriter, { id, status }: Registration): Promise<boolean> {
  const [attendance] = await tx.query(lockAttendance, [tx.accountId, id]);
  if (status !== 'registered' || attendance?.first_joined_at) throw attendeeErrors.registration_attended();
  return attendance !== undefined;
}

type Where = z.output<typeof RegistrationInput>;

interface Cancelled extends Where {
  /** Refuses an attendee who has joined. */
  onlyAbsent?: boolean;
}

/**
 * Frees the place in the session. Cancelling again changes nothing. Throws webinar_not_found, registration_not_found, and with
 * `onlyAbsent` registration_attended.
 */
export async function cancelRegistration(
  tx: AccountWriter,
  { onlyAbsent = false, ...where }: Cancelled,
  subscriber: EventSubscriber,
): Promise<Registration> {
  const registration = await lockRegistration(tx, where);
  if (registration.status === 'cancelled') return registration;
  if (onlyAbsent) await requireAbsent(tx, registration);
  registration.status = 'cancelled';
  registration.cancelledAt = tx.now;
  await tx.em.flush();
  releasePlace(tx, registration.sessionId);
  const session = await findSession(tx, registration);
  await subscriber.onRegistration?.(tx, { registration, session });
  return registration;
}

/** Makes a new join link, and the old one stops working. Throws webinar_not_found, registration_not_found, registration_cancelled. */
export async function rotateToken(tx: AccountWriter, where: Where): Promise<Registration> {
  const registration = await lockRegistration(tx, where);
  if (registration.status === 'cancelled') throw attendeeErrors.registration_cancelled();
  registration.tokenVersion += 1;
  await tx.em.flush();
  return registration;
}
