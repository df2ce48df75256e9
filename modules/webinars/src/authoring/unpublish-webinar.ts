import type { AccountWriter } from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { dropSessions } from '../session/cancel-sessions.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';

/**
 * Makes a published webinar a draft again. Unpublishing a draft changes nothing. Throws webinar_not_found,
 * webinar_has_registrations if a session that has not ended has registrations.
 */
export async function unpublishWebinar(tx: AccountWriter, webinarId: string): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  if (webinar.status === 'draft') return webinar;
  const areDropped = await dropSessions(tx, webinar.id);
  if (!areDropped) throw webinarErrors.webinar_has_registrations();
  webinar.status = 'draft';
  webinar.publishedAt = null;
  webinar.updatedAt = tx.now;
  await tx.em.flush();
  return webinar;
}
