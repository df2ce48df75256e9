import type { AccountWriter } from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { cancelSessions } from '../session/cancel-sessions.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';

/** Archives a webinar: it is no longer found, and its sessions that have not ended are cancelled. Throws webinar_not_found. */
export const archiveWebinar = (tx: AccountWriter, webinarId: string): Promise<Webinar> =>
  retire(tx, webinarId, 'archived');

/** Like archiveWebinar, and frees the slug. Throws webinar_not_found. */
export async function deleteWebinar(tx: AccountWriter, webinarId: string): Promise<void> {
  const webinar = await retire(tx, webinarId, 'deleted');
  // With a character that no slug has: another webinar may have this id as its slug.
  webinar.slug = `deleted:${webinar.id}`;
  await tx.em.flush();
}

async function retire(
  tx: AccountWriter,
  webinarId: string,
  status: 'archived' | 'deleted',
): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  webinar.status = status;
  webinar.updatedAt = tx.now;
  await tx.em.flush();
  await cancelSessions(tx, webinar.id);
  return webinar;
}
