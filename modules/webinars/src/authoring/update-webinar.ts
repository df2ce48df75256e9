import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import type { Webinar } from '../entities/webinar.ts';
import { requireRoom } from '../interaction/require-room.ts';
import { requireWhole } from '../segment/require-sound.ts';
import { syncSessions } from '../session/sync-sessions.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { requireFreeSlug } from '../webinar/slug.ts';
import type { WindowSubscriber } from '../webinar/window-subscriber.ts';
import type { UpdateWebinarInput } from './schemas.ts';

/**
 * Changes the given fields. A new attribution window is announced to the subscriber. Future sessions of a published webinar follow its schedule, time zone and duration, except sessions
 * with registrations. Throws webinar_not_found, webinar_slug_taken, validation_failed if the duration is too short for its
 * interactions, webinar_not_publishable if it becomes adaptive and its segments have problems.
 */
export async function updateWebinar(
  tx: AccountWriter,
  { webinarId, ...changes }: z.output<typeof UpdateWebinarInput>,
  subscriber: WindowSubscriber,
): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  const { windowDays } = webinar.attribution;
  if (changes.slug !== undefined && changes.slug !== webinar.slug) await requireFreeSlug(tx, changes.slug);
  if (changes.durationSeconds !== undefined) await requireRoom(tx, webinar.id, changes.durationSeconds);
  tx.em.assign(webinar, { ...changes, updatedAt: tx.now }, { mergeObjectProperties: false });
  await tx.em.flush();
  if (changes.kind !== undefined) await requireWhole(tx, webinar);
  const movesSessions = changes.schedule ?? changes.timezone ?? changes.durationSeconds;
  if (webinar.status === 'published' && movesSessions !== undefined) await syncSessions(tx, webinar);
  if (webinar.attribution.windowDays !== windowDays) await subscriber.onWindowChanged(tx);
  return webinar;
}
