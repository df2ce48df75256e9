import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import { copyInteractions } from '../interaction/copy-interactions.ts';
import { createWebinar } from './create-webinar.ts';
import { findWebinar } from './find-webinar.ts';
import type { DuplicateWebinarInput } from './schemas.ts';
import type { Webinar } from './webinar.ts';

const titleMax = 200;
const copyMark = ' (copy)';

/**
 * Makes a draft with the setup, the schedule and the interactions of another webinar, without its sessions and attendees.
 * Throws webinar_not_found.
 */
export async function duplicateWebinar(
  tx: AccountWriter,
  { webinarId, title }: z.output<typeof DuplicateWebinarInput>,
): Promise<Webinar> {
  const original = await findWebinar(tx, webinarId);
  const { publicTitle, description, kind, locale, timezone, durationSeconds, video, schedule } = original;
  const { room, replay, registrationForm, attendance, attribution } = original;
  const copy = await createWebinar(tx, {
    title: title ?? original.title.slice(0, titleMax - copyMark.length).trimEnd() + copyMark,
    publicTitle: publicTitle ?? null,
    description: description ?? null,
    video: video ?? null,
    kind,
    locale,
    timezone,
    durationSeconds,
    schedule,
    room,
    replay,
    registrationForm,
    attendance,
    attribution,
  });
  await copyInteractions(tx, original.id, copy.id);
  return copy;
}
