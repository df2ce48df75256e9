import type { AccountWriter } from '@service/database';
import { findWebinar } from './find-webinar.ts';
import type { Webinar } from './webinar.ts';

/** Opens a webinar for registration. Publishing a published one changes nothing. */
export async function publishWebinar(tx: AccountWriter, webinarId: string): Promise<Webinar> {
  const webinar = await findWebinar(tx, webinarId);
  if (webinar.status === 'draft') {
    webinar.status = 'published';
    webinar.publishedAt = tx.now;
    webinar.updatedAt = tx.now;
    await tx.em.flush();
  }
  return webinar;
}
