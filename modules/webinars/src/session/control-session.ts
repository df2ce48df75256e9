import { LockMode } from '@mikro-orm/postgresql';
import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { Webinar } from '../webinar/webinar.ts';
import { moveProgress, type Move } from './progress.ts';
import type { ProgressSessionInput, SessionInput } from './schemas.ts';
import { Session } from './session.ts';

type Where = z.output<typeof SessionInput>;

/** Puts an API-controlled session back to before its start; attendance is kept. Throws what progressSession throws. */
export async function resetSession(tx: AccountWriter, where: Where): Promise<Session> {
  const { session } = await lockControlled(tx, where);
  return move(tx, session, { action: 'reset' });
}

/**
 * Moves an API-controlled session. Throws webinar_not_found, session_not_found, session_not_api_controlled,
 * session_state_conflict, session_has_no_segments, validation_failed when it would seek past the end.
 */
export async function progressSession(
  tx: AccountWriter,
  { action, positionSeconds = 0, ...where }: z.output<typeof ProgressSessionInput>,
): Promise<Session> {
  const { webinar, session } = await lockControlled(tx, where);
  if (action === 'advance') throw webinarErrors.session_has_no_segments();
  if (action !== 'seek') return move(tx, session, { action });
  requireInside(positionSeconds, webinar);
  return move(tx, session, { action, positionSeconds });
}

/** Held until the end of the transaction, so that two moves at once are two moves one after the other. */
async function lockControlled(
  tx: AccountWriter,
  { webinarId, sessionId }: Where,
): Promise<{ webinar: Webinar; session: Session }> {
  const webinar = await findWebinar(tx, webinarId);
  const session = await tx.em.findOne(
    Session,
    { accountId: tx.accountId, id: sessionId, webinarId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!session) throw webinarErrors.session_not_found();
  if (session.control !== 'api') throw webinarErrors.session_not_api_controlled();
  return { webinar, session };
}

async function move(tx: AccountWriter, session: Session, to: Move): Promise<Session> {
  const { status, positionSeconds, actualStartedAt = null, actualEndedAt = null } = session;
  const progress = moveProgress({ status, positionSeconds, actualStartedAt, actualEndedAt }, to, tx.now);
  if (!progress) throw webinarErrors.session_state_conflict({ details: { status } });
  tx.em.assign(session, progress);
  await tx.em.flush();
  return session;
}

function requireInside(positionSeconds: number, { durationSeconds }: Webinar): void {
  if (positionSeconds <= durationSeconds) return;
  throw commonErrors.validation_failed({
    issues: [{ path: 'positionSeconds', message: `At most the duration, ${durationSeconds}.` }],
  });
}
