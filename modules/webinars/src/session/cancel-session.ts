import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import type { Session } from '../entities/session.ts';
import { webinarErrors } from '../errors.ts';
import { lockSession } from './lock-session.ts';
import type { SessionInput } from './schemas.ts';
import { closingAfter } from './session-end.ts';
import type { SessionObservers } from './session-subscriber.ts';
import { statusAt } from './status-at.ts';

/**
 * Cancels a session that has not ended. It gets no no-shows, and the schedule does not make it again. Cancelling again changes
 * nothing. Throws webinar_not_found, session_not_found, session_state_conflict.
 */
export async function cancelSession(
  tx: AccountWriter,
  where: z.output<typeof SessionInput>,
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
