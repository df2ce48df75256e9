import type { AccountReader, AccountWriter } from '@service/database';
import type { Issue } from '@service/errors';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { segmentProblems } from '../segment/require-sound.ts';
import { computeSlots, offeredSlots } from '../session/offered-slots.ts';
import { syncSessions } from '../session/sync-sessions.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';

/**
 * Opens a webinar for registration and makes its sessions. Publishing a published webinar changes nothing. Throws
 * webinar_not_found, webinar_not_publishable with all problems.
 */
export async function publishWebinar(tx: AccountWriter, webinarId: string): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  if (webinar.status === 'published') return webinar;
  // Before the check, because it restores the sessions that unpublishing cancelled.
  await syncSessions(tx, webinar);
  const issues = await publishProblems(tx, webinar);
  if (issues.length > 0) throw webinarErrors.webinar_not_publishable({ issues });
  webinar.status = 'published';
  webinar.publishedAt = tx.now;
  webinar.updatedAt = tx.now;
  await tx.em.flush();
  return webinar;
}

/**
 * The problems that publishing would have, without a change. It assumes that no session of the schedule was cancelled by hand.
 * Throws webinar_not_found.
 */
export async function checkPublishing(reader: AccountReader, webinarId: string): Promise<Issue[]> {
  const webinar = await findWebinar(reader, webinarId);
  const hasStart = computeSlots(webinar, reader.now.getTime(), 1).length > 0;
  const booking = hasStart ? [] : await bookingProblems(reader, webinar);
  return [...booking, ...(await segmentProblems(reader, webinar))];
}

/** All reasons why a webinar cannot be published. A video is not required. */
const publishProblems = async (tx: AccountWriter, webinar: Webinar): Promise<Issue[]> => [
  ...(await bookingProblems(tx, webinar)),
  ...(await segmentProblems(tx, webinar)),
];

async function bookingProblems(tx: AccountReader, webinar: Webinar): Promise<Issue[]> {
  const { justInTime, onDemand } = webinar.schedule;
  const isBookable = justInTime !== null || onDemand || (await offeredSlots(tx, webinar, 1)).length > 0;
  if (isBookable) return [];
  return [
    {
      path: 'schedule',
      message:
        'No session can be booked. Add a future recurrence, just-in-time sessions or on-demand viewing.',
    },
  ];
}
