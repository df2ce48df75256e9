import type { AccountWriter } from '@service/database';
import type { z } from 'zod';
import type { Webinar } from '../entities/webinar.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { copyParts } from './copy-parts.ts';
import { createWebinar } from './create-webinar.ts';
import type { DuplicateWebinarInput } from './schemas.ts';

const titleMax = 200;
const copyMark = ' (copy)';

/** Leaves room for the mark. Half a surrogate pair at the end is cut too, because it cannot be stored. */
const shorten = (title: string): string =>
  title
    .slice(0, titleMax - copyMark.length)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();

/**
 * Makes a draft with the settings, schedule, segments and interactions of another webinar. The original is locked, so the copy is
 * consistent. Sessions and attendees are not copied. Throws webinar_not_found.
 */
export async function duplicateWebinar(
  tx: AccountWriter,
  { webinarId, title }: z.output<typeof DuplicateWebinarInput>,
): Promise<Webinar> {
  const original = await lockWebinar(tx, webinarId);
  const { publicTitle, description, kind, locale, timezone, durationSeconds, video, schedule } = original;
  const { room, replay, registrationForm, attendance, attribution } = original;
  const copy = await createWebinar(tx, {
    title: title ?? shorten(original.title) + copyMark,
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
  await copyParts(tx, { fromWebinarId: original.id, toWebinarId: copy.id });
  return copy;
}
