import { createId, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import type { CreateWebinarInput } from './schemas.ts';
import { Session } from '../session/session.ts';
import { Webinar } from './webinar.ts';

/** Makes a draft with its one scheduled session. Throws validation_failed when that would lie in the past. */
export async function createWebinar(
  tx: AccountWriter,
  input: z.output<typeof CreateWebinarInput>,
): Promise<{ webinar: Webinar; session: Session }> {
  const { startsAt, ...fields } = input;
  const starts = new Date(startsAt);
  if (starts <= tx.now) {
    throw commonErrors.validation_failed({
      issues: [{ path: 'startsAt', message: 'Must be in the future.' }],
    });
  }
  const webinar = tx.em.create(Webinar, {
    accountId: tx.accountId,
    id: createId(),
    ...fields,
    status: 'draft',
    publishedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  const session = tx.em.create(Session, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    status: 'scheduled',
    startsAt: starts,
    endsAt: new Date(starts.getTime() + input.durationSeconds * 1000),
    createdAt: tx.now,
  });
  await tx.em.flush();
  return { webinar, session };
}
