import { LockMode } from '@mikro-orm/postgresql';
import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import { Session } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import type { SessionInput } from './schemas.ts';

/**
 * Locks a session, and its webinar against bookings and changes, until the end of the transaction. Throws webinar_not_found,
 * session_not_found.
 */
export async function lockSession(
  tx: AccountWriter,
  { webinarId, sessionId }: z.output<typeof SessionInput>,
): Promise<{ webinar: Webinar; session: Session }> {
  const webinar = await lockWebinar(tx, webinarId);
  const session = await tx.em.findOne(
    Session,
    { accountId: tx.accountId, id: sessionId, webinarId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!session) throw webinarErrors.session_not_found();
  return { webinar, session };
}
