import { type AccountReader, type AccountWriter, createId } from '@service/database';
import type { z } from 'zod';
import type { Issue } from '@service/errors';
import { Webinar } from '../entities/webinar.ts';
import { changeWords, createSlug, titleToSlug } from '../webinar/slug.ts';
import { requireRoom } from '../interaction/interactions.ts';
import { requireWhole, segmentProblems } from '../segment/require-sound.ts';
import { syncSessions } from '../session/sync-sessions.ts';
import { findWebinar, keptStatuses, lockWebinar } from '../webinar/find-webinar.ts';
import { webinarErrors } from '../errors.ts';
import { computeSlots, offeredSlots } from '../session/offered-slots.ts';
import { cancelSessions, dropSessions, fixCancelled } from '../session/cancel-sessions.ts';
import type { SessionObservers } from '../session/change-session.ts';
import type { CreateWebinarInput, DuplicateWebinarInput, UpdateWebinarInput } from './schemas.ts';
import { copyParts } from './copy-parts.ts';

/** Makes a draft without sessions. Publishing makes them. */
export async function createWebinar(
  tx: AccountWriter,
  { slug, ...fields }: z.output<typeof CreateWebinarInput>,
): Promise<Webinar> {
  const webinar = tx.em.create(Webinar, {
    accountId: tx.accountId,
    id: createId(),
    ...fields,
    slug: await createSlug(tx.query, slug ?? titleToSlug(fields.title, 'webinar')),
    status: 'draft',
    publishedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  return webinar;
}

/**
 * Changes the given fields. A new attribution window is announced to the subscriber. Future sessions of a published webinar follow its schedule, time zone and duration, except sessions
 * with registrations. Throws webinar_not_found, validation_failed if the duration is too short for its
 * interactions, webinar_not_publishable if it becomes adaptive and its segments have problems.
 */
export async function updateWebinar(
  tx: AccountWriter,
  { webinarId, slug: words, ...changes }: z.output<typeof UpdateWebinarInput>,
  subscriber: WindowSubscriber,
): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  const { windowDays } = webinar.attribution;
  if (changes.durationSeconds !== undefined) await requireRoom(tx, webinar.id, changes.durationSeconds);
  const slug = words === undefined ? webinar.slug : changeWords(webinar.slug, words);
  tx.em.assign(webinar, { ...changes, slug, updatedAt: tx.now }, { mergeObjectProperties: false });
  await tx.em.flush();
  if (changes.kind !== undefined) await requireWhole(tx, webinar);
  const movesSessions = changes.schedule ?? changes.timezone ?? changes.durationSeconds;
  if (webinar.status === 'published' && movesSessions !== undefined) await syncSessions(tx, webinar);
  if (webinar.attribution.windowDays !== windowDays) await subscriber.onWindowChanged(tx);
  return webinar;
}

/** Another module's code that is called when the attribution window of a webinar changes. The composition passes in revenue's. */
export interface WindowSubscriber {
  /** Called inside the transaction that changed the window, after its other statements. */
  onWindowChanged(tx: AccountWriter): Promise<void>;
}

/**
 * Opens a webinar for registration and makes its sessions. A video is not required. Publishing a published webinar changes nothing. Throws
 * webinar_not_found, webinar_not_publishable with all problems.
 */
export async function publishWebinar(tx: AccountWriter, webinarId: string): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId);
  if (webinar.status === 'published') return webinar;
  // Before the check, because it restores the sessions that unpublishing cancelled.
  await syncSessions(tx, webinar);
  const issues = [...(await bookingProblems(tx, webinar)), ...(await segmentProblems(tx, webinar))];
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

/** Archives a webinar: only members find it, and its sessions that have not ended are cancelled. Throws webinar_not_found. */
export const archiveWebinar = (
  tx: AccountWriter,
  webinarId: string,
  observers: SessionObservers,
): Promise<Webinar> => retire(tx, webinarId, { status: 'archived', observers });

/**
 * Makes an archived webinar a draft. The sessions that were cancelled stay cancelled, except those without any registration, which publishing
 * makes again if the schedule has their time. Restoring a webinar that is not archived changes nothing. Throws webinar_not_found.
 */
export async function restoreWebinar(tx: AccountWriter, webinarId: string): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId, keptStatuses);
  if (webinar.status !== 'archived') return webinar;
  await fixCancelled(tx, webinar.id);
  webinar.status = 'draft';
  webinar.publishedAt = null;
  webinar.updatedAt = tx.now;
  await tx.em.flush();
  return webinar;
}

/**
 * Like archiveWebinar, and members do not find it either. The subscriber deletes what other modules have in it. A member can delete an
 * archived webinar too. Throws webinar_not_found.
 */
export async function deleteWebinar(
  tx: AccountWriter,
  { webinarId, isMember }: { webinarId: string; isMember: boolean },
  observers: SessionObservers,
): Promise<Webinar> {
  const retirement = { status: 'deleted', observers, ...(isMember && { from: keptStatuses }) } as const;
  const webinar = await retire(tx, webinarId, retirement);
  await observers.subscriber.onWebinarDeleted?.(tx, webinarId);
  return webinar;
}

interface Retirement {
  status: 'archived' | 'deleted';
  observers: SessionObservers;
  /** The statuses that it may have before. A draft or a published webinar if left out. */
  from?: readonly Webinar['status'][];
}

async function retire(
  tx: AccountWriter,
  webinarId: string,
  { status, observers, from }: Retirement,
): Promise<Webinar> {
  const webinar = await lockWebinar(tx, webinarId, from);
  webinar.status = status;
  webinar.updatedAt = tx.now;
  await tx.em.flush();
  await cancelSessions(tx, webinar.id, observers);
  return webinar;
}

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
  const { room, replay, registrationForm, registrationPage, attendance, attribution } = original;
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
    registrationPage,
    attendance,
    attribution,
  });
  await copyParts(tx, { fromWebinarId: original.id, toWebinarId: copy.id });
  return copy;
}
