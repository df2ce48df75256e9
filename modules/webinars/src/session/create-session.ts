import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import { Session } from '../entities/session.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { freeStart } from './free-start.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';
import type { CreateSessionInput } from './schemas.ts';

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
