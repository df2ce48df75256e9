import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import type { Webinar } from '../entities/webinar.ts';
import { requireRoom } from '../interaction/require-room.ts';
import { requireWhole } from '../segment/require-sound.ts';
import { syncSessions } from '../session/sync-sessions.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { requireFreeSlug } from '../webinar/slug.ts';
import type { UpdateWebinarInput } from './schemas.ts';

/**
 * Changes what is named. A published webinar's coming sessions follow its schedule, time zone and duration, except those that
 * somebody is registered for. Throws webinar_not_found, webinar_slug_taken, validation_failed when it would be
 * too short for its interactions, webinar_not_publishable when it would be adaptive without sound segments.
 */
export async function updateWebinar(
  tx: AccountWriter,
  { webinarId, ...changes }: z.output<typeof UpdateWebinarInput>,
): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  if (changes.slug !== undefined && changes.slug !== webinar.slug) await requireFreeSlug(tx, changes.slug);
  if (changes.durationSeconds !== undefined) await requireRoom(tx, webinar.id, changes.durationSeconds);
  tx.em.assign(webinar, { ...changes, updatedAt: tx.now }, { mergeObjectProperties: false });
  await tx.em.flush();
  if (changes.kind !== undefined) await requireWhole(tx, webinar);
  const movesSessions = changes.schedule ?? changes.timezone ?? changes.durationSeconds;
  if (webinar.status === 'published' && movesSessions !== undefined) await syncSessions(tx, webinar);
  return webinar;
}
