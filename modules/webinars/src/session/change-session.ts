import { type AccountWriter, statement } from '@service/database';
import type { z } from 'zod';
import { LockMode } from '@mikro-orm/postgresql';
import { commonErrors } from '@service/errors';
import { closingAfter, Session, statusAt } from '../entities/session.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { webinarErrors } from '../errors.ts';
import { occurrenceAt } from '../schedule/occurrences.ts';
import type { Webinar } from '../entities/webinar.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';
import type { CreateSessionInput, SessionInput, UpdateSessionInput } from './schemas.ts';

type Where = z.output<typeof SessionInput>;

/**
 * A session that was moved, has ended, was cancelled, was reset to before its start, or that a registration of another session was
 * moved to (`booked`).
 */
export interface SessionChange {
  change: 'moved' | 'ended' | 'cancelled' | 'reset' | 'booked';
  session: Session;
  /** The start before a move. */
  formerStartsAt?: Date;
}

/** Another module's code that is called when sessions change or a webinar is deleted. The composition passes in automations'. */
export interface SessionSubscriber {
  /** Called inside the transaction that changed the sessions, all of one account. */
  onSessions(tx: AccountWriter, changes: readonly SessionChange[]): Promise<void>;
  /** Called inside the transaction that deleted a webinar, after its sessions were cancelled. */
  onWebinarDeleted?(tx: AccountWriter, webinarId: string): Promise<void>;
}

/** Called when a call changes a session. */
export interface SessionObservers {
  subscriber: SessionSubscriber;
  /** Called after the commit, so that attendees in the room see the change at once. Must not throw. */
  announce: (accountId: string, sessionId: string) => void;
}

/** Makes an API-controlled session. Throws webinar_not_found, session_exists, validation_failed for a start in the past. */
export async function createSession(
  tx: AccountWriter,
  { webinarId, startsAt, control }: z.output<typeof CreateSessionInput>,
): Promise<Session> {
  const webinar = await lockWebinar(tx, webinarId);
  const starts = new Date(startsAt);
  await freeStart(tx, webinar.id, starts);
  const draft = { kind: 'scheduled', control, startsAtMs: starts.getTime(), recurrenceKey: null } as const;
  const row = draftToRow(webinar, draft);
  await insertSessions(tx, [row]);
  return tx.em.findOneOrFail(Session, { accountId: tx.accountId, id: row.id });
}

/**
 * Changes the start of a scheduled session that has not started. Its duration and registrations stay. From then on it belongs to
 * no recurrence: the schedule neither removes it nor offers its old start again. Throws webinar_not_found, session_not_found,
 * session_state_conflict, session_exists, validation_failed for a start in the past.
 */
export async function moveSession(
  tx: AccountWriter,
  { startsAt, ...where }: z.output<typeof UpdateSessionInput>,
  { subscriber, announce }: SessionObservers,
): Promise<Session> {
  const { webinar, session } = await lockSession(tx, where);
  const { kind, control, startsAt: formerStart, endsAt: formerEnd, recurrenceKey } = session;
  const status = statusAt(session, tx.now);
  if (kind !== 'scheduled' || status !== 'scheduled')
    throw webinarErrors.session_state_conflict({ details: { status, kind } });
  const starts = new Date(startsAt);
  if (starts.getTime() === formerStart.getTime()) return session;
  await freeStart(tx, webinar.id, starts);
  const endsAt = new Date(starts.getTime() + formerEnd.getTime() - formerStart.getTime());
  tx.em.assign(session, { startsAt: starts, endsAt, recurrenceKey: null });
  await tx.em.flush();
  const startsAtMs = formerStart.getTime();
  const draft = { kind, control, startsAtMs, recurrenceKey: null, status: 'cancelled' } as const;
  if (recurrenceKey !== null || occurrenceAt(webinar, startsAtMs))
    await insertSessions(tx, [draftToRow(webinar, draft)]);
  await subscriber.onSessions(tx, [{ change: 'moved', session, formerStartsAt: formerStart }]);
  tx.afterCommit(() => announce(tx.accountId, session.id));
  return session;
}

/**
 * Cancels a session that has not ended. It gets no no-shows, and the schedule does not make it again. Cancelling again changes
 * nothing. Throws webinar_not_found, session_not_found, session_state_conflict.
 */
export async function cancelSession(
  tx: AccountWriter,
  where: Where,
  { subscriber, announce }: SessionObservers,
): Promise<Session> {
  const { session } = await lockSession(tx, where);
  const status = statusAt(session, tx.now);
  if (status === 'ended') throw webinarErrors.session_state_conflict({ details: { status } });
  tx.em.assign(session, { status: 'cancelled', recurrenceKey: null });
  if (status === 'live') {
    const { actualStartedAt, startsAt } = session;
    tx.em.assign(session, {
      actualStartedAt: actualStartedAt ?? startsAt,
      actualEndedAt: tx.now,
      closingAt: closingAfter(tx.now),
    });
  }
  await tx.em.flush();
  if (status === 'cancelled') return session;
  await subscriber.onSessions(tx, [{ change: 'cancelled', session }]);
  tx.afterCommit(() => announce(tx.accountId, session.id));
  return session;
}

/**
 * Locks a session, and its webinar against bookings and changes, until the end of the transaction. Throws webinar_not_found,
 * session_not_found.
 */
export async function lockSession(
  tx: AccountWriter,
  where: Where,
): Promise<{ webinar: Webinar; session: Session }> {
  const webinar = await lockWebinar(tx, where.webinarId);
  return { webinar, session: await lockRow(tx, where) };
}

/** Locks a session alone. Throws session_not_found. */
export async function lockRow(tx: AccountWriter, { webinarId, sessionId }: Where): Promise<Session> {
  const session = await tx.em.findOne(
    Session,
    { accountId: tx.accountId, id: sessionId, webinarId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!session) throw webinarErrors.session_not_found();
  return session;
}

// Without registrations, the only use of a cancelled session is to stop the schedule from offering its start.
const deleteCancelled = statement({
  name: 'webinars.delete_cancelled_session',
  text: `
    delete from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and starts_at = $3 and status = 'cancelled' and not was_booked`,
});

/**
 * Makes sure that a scheduled session can start at this time. Deletes a cancelled session there that never had a registration.
 * The caller has locked the webinar. Throws validation_failed for a start in the past, session_exists.
 */
async function freeStart(tx: AccountWriter, webinarId: string, startsAt: Date): Promise<void> {
  const { em, query, accountId, now } = tx;
  if (startsAt <= now) {
    throw commonErrors.validation_failed({
      issues: [{ path: 'startsAt', message: 'Must be in the future.' }],
    });
  }
  await query(deleteCancelled, [accountId, webinarId, startsAt]);
  const taken = await em.count(Session, { accountId, webinarId, kind: 'scheduled', startsAt });
  if (taken > 0) throw webinarErrors.session_exists();
}
