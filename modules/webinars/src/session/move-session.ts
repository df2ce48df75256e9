import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import type { Session } from '../entities/session.ts';
import { webinarErrors } from '../errors.ts';
import { occurrenceAt } from '../schedule/occurrences.ts';
import { freeStart } from './free-start.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';
import { lockSession } from './lock-session.ts';
import type { UpdateSessionInput } from './schemas.ts';
import type { SessionObservers } from './session-subscriber.ts';
import { statusAt } from './status-at.ts';

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
  await subscriber.onSessions(tx, [{ change: 'moved', session }]);
  tx.afterCommit(() => announce(tx.accountId, session.id));
  return session;
}
