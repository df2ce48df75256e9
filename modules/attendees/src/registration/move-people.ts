import {
  type AccountWriter,
  column,
  isUniqueViolation,
  lowestId,
  nullable,
  statement,
} from '@service/database';
import { commonErrors } from '@service/errors';
import {
  bookSession,
  lockFreePlaces,
  type Session,
  type SessionSubscriber,
  shareOpenWebinar,
  statusAt,
  takePlaces,
  loadSessions,
  webinarErrors,
} from '@service/webinars';
import type { z } from 'zod';
import { type Registration, registrationRow } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { type Mover, recordMoves } from './change-registration.ts';
import { findRegistered } from './create-booker.ts';
import { refusePlace } from './register.ts';
import type { MovePeopleInput, MovePeopleOutput } from './schemas.ts';

/** Registrations of one call, because each is followed by mails and changes of contacts. */
const batchMax = 100;

const lockBatch = statement({
  name: 'attendees.lock_registrations_of_session',
  text: `
    select * from attendees.registration
    where account_id = $1 and session_id = $2 and id > $3 order by id limit ${batchMax} for update`,
  row: registrationRow.columns,
});

// The room locks these rows before it writes `first_joined_at`.
const lockAttendances = statement({
  name: 'attendees.lock_attendances_to_change',
  text: `
    select registration_id as id, first_joined_at as "firstJoinedAt" from attendees.attendance
    where account_id = $1 and registration_id = any($2::uuid[]) order by registration_id for no key update`,
  row: { id: column.id, firstJoinedAt: nullable(column.time) },
});

const moveRows = statement({
  name: 'attendees.move_registrations',
  text: `
    with visits as (
      update attendees.attendance a set session_id = $3 where a.account_id = $1 and a.registration_id = any($2::uuid[])
    )
    update attendees.registration r set session_id = $3 where r.account_id = $1 and r.id = any($2::uuid[])`,
});

interface MoveParts {
  subscriber: EventSubscriber & SessionSubscriber;
  by: Mover;
}

type Moves = z.input<typeof MovePeopleOutput>;

/**
 * Moves the people of a session who have not joined to the session that starts at `sessionTime`, at most 100 with each call. Each
 * is moved like by moveRegistration. Those who cannot be moved stay, with the reason. Throws webinar_not_found, webinar_not_published, session_not_found,
 * session_state_conflict if the session has ended, validation_failed if both are one session, session_time_unavailable,
 * registration_exists if a person registers for the other session at the same time: no one is moved then, and the call can be repeated.
 */
export async function movePeople(
  tx: AccountWriter,
  { webinarId, sessionId, sessionTime, after = lowestId }: z.output<typeof MovePeopleInput>,
  { subscriber, by }: MoveParts,
): Promise<Moves> {
  const { accountId } = tx;
  const webinar = await shareOpenWebinar(tx, webinarId);
  const from = (await loadSessions(tx.query, [{ accountId, id: sessionId }])).get(sessionId);
  if (from?.webinarId !== webinar.id) throw webinarErrors.session_not_found();
  const status = statusAt(from, tx.now);
  if (status === 'ended') throw webinarErrors.session_state_conflict({ details: { status } });
  const booking = await bookSession(tx, webinar, { sessionTime: new Date(sessionTime) });
  if (booking.kind !== 'booked') throw refusePlace(booking);
  const to = booking.session;
  if (to.id === from.id)
    throw commonErrors.validation_failed({
      issues: [{ path: 'sessionTime', message: 'Must be the start of another session.' }],
    });
  // Places are locked before registrations; see places.ts of webinars.
  const { capacityPerSession: capacity } = webinar.registrationForm;
  const free = capacity === null ? batchMax : await lockFreePlaces(tx, to, capacity);
  const rows = await tx.query(lockBatch, [accountId, from.id, after]);
  const registrations = rows.map(registrationRow.toEntity);
  const { movable, refused } = await decide(tx, registrations, { to, free: Math.max(free, 0) });
  await moveAll(tx, movable, to);
  if (movable.length > 0) {
    takePlaces(
      tx,
      new Map([
        [from.id, -movable.length],
        [to.id, movable.length],
      ]),
    );
    recordMoves(tx, movable, { from, to, by });
    await subscriber.onSessions(tx, [{ change: 'booked', session: to }]);
  }
  for (const registration of movable)
    await subscriber.onRegistration?.(tx, {
      registration: { ...registration, sessionId: to.id },
      session: to,
      formerStartsAt: from.startsAt,
    });
  const isOver = rows.length < batchMax || refused.some(({ reason }) => reason === 'full');
  return { moved: movable.length, refused, next: isOver ? null : rows.at(-1)!.id };
}

/** Those who can be moved, in the order in which they registered, and the others with the reason. Leaves out cancelled ones. */
async function decide(
  tx: AccountWriter,
  registrations: readonly Registration[],
  { to, free }: { to: Session; free: number },
): Promise<{ movable: Registration[]; refused: Moves['refused'] }> {
  const emails = registrations.map(({ email }) => email);
  const visits = await tx.query(lockAttendances, [tx.accountId, registrations.map(({ id }) => id)]);
  const joined = new Set(visits.flatMap(({ id, firstJoinedAt }) => (firstJoinedAt ? [id] : [])));
  const registered = await findRegistered(tx, to, emails);
  const movable: Registration[] = [];
  const refused: Moves['refused'] = [];
  for (const registration of registrations) {
    const { id: registrationId, status, name, email } = registration;
    if (status === 'cancelled' || status === 'test') continue;
    const refuse = (reason: Moves['refused'][number]['reason']) =>
      refused.push({ registrationId, name, reason });
    if (status !== 'registered' || joined.has(registrationId)) refuse('joined');
    else if (registered.has(email)) refuse('registered');
    else if (movable.length >= free) refuse('full');
    else movable.push(registration);
  }
  return { movable, refused };
}

async function moveAll(tx: AccountWriter, movable: readonly Registration[], to: Session): Promise<void> {
  if (movable.length === 0) return;
  try {
    await tx.query(moveRows, [tx.accountId, movable.map(({ id }) => id), to.id]);
  } catch (error) {
    if (isUniqueViolation(error, 'registration_live_unique')) throw attendeeErrors.registration_exists();
    throw error;
  }
}
