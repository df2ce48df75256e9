import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import { clearingAfter, type Session } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { findSegmentOf } from '../segment/segments.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { SessionStatus } from '../entities/enums.ts';
import type { ProgressSessionInput, SessionInput } from './schemas.ts';
import { lockRow, type SessionObservers } from './change-session.ts';

type Where = z.output<typeof SessionInput>;

/** A locked session with its webinar, and the code to call when the session changes. */
interface Controlled extends SessionObservers {
  webinar: Webinar;
  session: Session;
}

/** Sets an API-controlled session back to before its start. Attendance is kept. Throws the errors of progressSession. */
export async function resetSession(
  tx: AccountWriter,
  where: Where,
  observers: SessionObservers,
): Promise<Session> {
  const controlled = await lockControlled(tx, where);
  return move(tx, { ...controlled, ...observers }, { action: 'reset' });
}

/**
 * Moves an API-controlled session. Throws webinar_not_found, session_not_found, session_not_api_controlled,
 * session_state_conflict, session_has_no_segments, segment_not_found, validation_failed for a seek past the end.
 */
export async function progressSession(
  tx: AccountWriter,
  { action, positionSeconds = 0, segmentId, ...where }: z.output<typeof ProgressSessionInput>,
  observers: SessionObservers,
): Promise<Session> {
  const controlled = { ...(await lockControlled(tx, where)), ...observers };
  if (action === 'advance') return advance(tx, controlled, segmentId!);
  if (action !== 'seek') return move(tx, controlled, { action });
  requireInside(positionSeconds, controlled.webinar);
  return move(tx, controlled, { action, positionSeconds });
}

/** Locks the session until the end of the transaction, so that concurrent moves run one after the other. */
async function lockControlled(
  tx: AccountWriter,
  where: Where,
): Promise<Pick<Controlled, 'webinar' | 'session'>> {
  const webinar = await findWebinar(tx, where.webinarId);
  const session = await lockRow(tx, where);
  if (session.control !== 'api') throw webinarErrors.session_not_api_controlled();
  return { webinar, session };
}

async function move(tx: AccountWriter, controlled: Controlled, to: Move): Promise<Session> {
  const { webinar, session, subscriber, announce } = controlled;
  const { status, positionSeconds, actualStartedAt = null, actualEndedAt = null } = session;
  const progress = moveProgress({ status, positionSeconds, actualStartedAt, actualEndedAt }, to, tx.now);
  if (!progress) throw webinarErrors.session_state_conflict({ details: { status } });
  tx.em.assign(session, progress);
  if (to.action === 'end') tx.em.assign(session, clearingAfter(session, webinar, tx.now));
  if (to.action === 'reset')
    tx.em.assign(session, { closingAt: null, noShowAt: null, currentSegmentId: null });
  await tx.em.flush();
  if (to.action === 'end') await subscriber.onSessions(tx, [{ change: 'ended', session }]);
  if (to.action === 'reset') await subscriber.onSessions(tx, [{ change: 'reset', session }]);
  tx.afterCommit(() => announce(tx.accountId, session.id));
  return session;
}

/** Moves all viewers of the session to a segment. */
async function advance(
  tx: AccountWriter,
  { webinar, session, announce }: Controlled,
  segmentId: string,
): Promise<Session> {
  if (webinar.kind !== 'adaptive') throw webinarErrors.session_has_no_segments();
  const segment = await findSegmentOf(tx, webinar, { segmentId });
  const { status } = session;
  if (status !== 'live') throw webinarErrors.session_state_conflict({ details: { status } });
  session.currentSegmentId = segment.id;
  await tx.em.flush();
  tx.afterCommit(() => announce(tx.accountId, session.id));
  return session;
}

function requireInside(positionSeconds: number, { durationSeconds }: Webinar): void {
  if (positionSeconds <= durationSeconds) return;
  throw commonErrors.validation_failed({
    issues: [
      { path: 'positionSeconds', message: `Must be at most the duration, ${durationSeconds} seconds.` },
    ],
  });
}

/** The fields of a session that progress calls change. */
export interface Progress {
  status: SessionStatus;
  positionSeconds: number;
  actualStartedAt: Date | null;
  actualEndedAt: Date | null;
}

export type Move = { action: 'start' | 'end' | 'reset' } | { action: 'seek'; positionSeconds: number };

const statusesFor: Record<Move['action'], readonly SessionStatus[]> = {
  start: ['scheduled'],
  seek: ['live'],
  end: ['live'],
  reset: ['scheduled', 'live', 'ended'],
};

const beforeStart: Progress = {
  status: 'scheduled',
  positionSeconds: 0,
  actualStartedAt: null,
  actualEndedAt: null,
};

/** Returns the progress after a move, or undefined if the status does not allow the move. */
export function moveProgress(progress: Progress, move: Move, now: Date): Progress | undefined {
  if (!statusesFor[move.action].includes(progress.status)) return undefined;
  if (move.action === 'seek') return { ...progress, positionSeconds: move.positionSeconds };
  if (move.action === 'start') return { ...progress, status: 'live', actualStartedAt: now };
  if (move.action === 'end') return { ...progress, status: 'ended', actualEndedAt: now };
  return beforeStart;
}
