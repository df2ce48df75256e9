import { type AccountReader, type AccountWriter, createId } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';
import type { z } from 'zod';
import { Branch, Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';
import { titleToSlug } from '../webinar/slug.ts';
import { Interaction } from '../entities/interaction.ts';
import { lateInteractions } from '../interaction/interactions.ts';
import type { Webinar } from '../entities/webinar.ts';
import { type SegmentFields, segmentsMax } from './segment-fields.ts';
import { requireSound } from './require-sound.ts';
import type { SegmentInput } from './schemas.ts';

interface NewSegment extends Omit<SegmentFields, 'key'> {
  webinarId: string;
  key?: string;
}

/**
 * Adds a segment to an adaptive webinar. Throws webinar_not_found, webinar_not_adaptive, segment_limit_reached,
 * segment_key_taken, webinar_not_publishable.
 */
export async function createSegment(
  tx: AccountWriter,
  { webinarId, key, ...fields }: NewSegment,
): Promise<Segment> {
  const webinar = await lockWebinar(tx, webinarId);
  if (webinar.kind !== 'adaptive') throw webinarErrors.webinar_not_adaptive();
  const taken = await keysOf(tx, webinar.id);
  if (taken.size >= segmentsMax) throw webinarErrors.segment_limit_reached();
  if (key !== undefined && taken.has(key)) throw webinarErrors.segment_key_taken();
  const segment = tx.em.create(Segment, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    key: key ?? freeKey(fields.title, taken),
    ...fields,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  await requireSound(tx, webinar);
  return segment;
}

/** The keys of all segments of a webinar. The caller has locked the webinar, so no other transaction can add one. */
async function keysOf({ em, accountId }: AccountWriter, webinarId: string): Promise<Set<string>> {
  const segments = await em.find(Segment, { accountId, webinarId }, { fields: ['key'] });
  return new Set(segments.map(({ key }) => key));
}

/** Makes a free key from the title. If it is taken, appends a number from 2 on. There are more numbers than segments. */
function freeKey(title: string, taken: ReadonlySet<string>): string {
  const base = titleToSlug(title, 'segment');
  const numbered = Array.from({ length: segmentsMax }, (_, index) => `${base}-${index + 2}`);
  return [base, ...numbered].find((key) => !taken.has(key))!;
}

/**
 * Changes the given fields. Throws webinar_not_found, segment_not_found, segment_key_taken, validation_failed if the duration is
 * too short for its interactions and prompts, webinar_not_publishable.
 */
export async function updateSegment(
  tx: AccountWriter,
  address: SegmentAddress,
  changes: Partial<SegmentFields>,
): Promise<Segment> {
  const { webinar, segment } = await lockSegment(tx, address);
  const { key, durationSeconds } = changes;
  const isRenamed = key !== undefined && key !== segment.key;
  if (isRenamed && (await keysOf(tx, webinar.id)).has(key)) throw webinarErrors.segment_key_taken();
  if (durationSeconds !== undefined) await requireTime(tx, segment, durationSeconds);
  tx.em.assign(segment, { ...changes, updatedAt: tx.now }, { mergeObjectProperties: false });
  await tx.em.flush();
  await requireSound(tx, webinar);
  return segment;
}

/** Makes sure that the interactions and prompts of a segment fit its new duration. */
async function requireTime(tx: AccountWriter, segment: Segment, durationSeconds: number): Promise<void> {
  const { webinarId, id } = segment;
  const issues = [
    ...(await lateInteractions(tx, { webinarId, segmentId: id }, durationSeconds)),
    ...(await latePrompts(tx, segment, durationSeconds)),
  ];
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}

async function latePrompts(
  { em, accountId }: AccountWriter,
  { webinarId, id }: Segment,
  durationSeconds: number,
): Promise<Issue[]> {
  const late = await em.find(
    Branch,
    { accountId, webinarId, fromSegmentId: id, promptAtSeconds: { $gte: durationSeconds } },
    { orderBy: { promptAtSeconds: 'desc' } },
  );
  return late.map(({ label, promptAtSeconds }) => ({
    path: 'durationSeconds',
    message: `Too short for the branch "${label}", which is offered at ${promptAtSeconds} seconds.`,
  }));
}

/**
 * Deletes a segment that no branch uses. Its interactions stay and belong to no segment. Throws webinar_not_found,
 * segment_not_found, segment_in_use, webinar_not_publishable.
 */
export async function deleteSegment(tx: AccountWriter, address: SegmentAddress): Promise<void> {
  const { em, accountId } = tx;
  const { webinar, segment } = await lockSegment(tx, address);
  const uses = await em.count(Branch, {
    accountId,
    webinarId: webinar.id,
    $or: [{ fromSegmentId: segment.id }, { toSegmentId: segment.id }],
  });
  if (uses > 0) throw webinarErrors.segment_in_use();
  await removeSegment(tx, segment);
  await requireSound(tx, webinar);
}

/** Removes a segment that no branch uses. Its interactions stay and belong to no segment. */
async function removeSegment({ em, accountId, now }: AccountWriter, segment: Segment): Promise<void> {
  await em.nativeUpdate(
    Interaction,
    { accountId, webinarId: segment.webinarId, segmentId: segment.id },
    { segmentId: null, updatedAt: now },
  );
  await em.remove(segment).flush();
}

/**
 * Deletes a segment and all branches to and from it in one change: one by one over the API, a published webinar would be refused
 * halfway, or a failure would leave half of the change. Its interactions stay and belong to no segment. Throws webinar_not_found,
 * segment_not_found, webinar_not_publishable.
 */
export async function deleteWithBranches(tx: AccountWriter, address: SegmentAddress): Promise<void> {
  const { webinar, segment } = await lockSegment(tx, address);
  await tx.em.nativeDelete(Branch, {
    accountId: tx.accountId,
    webinarId: webinar.id,
    $or: [{ fromSegmentId: segment.id }, { toSegmentId: segment.id }],
  });
  await removeSegment(tx, segment);
  await requireSound(tx, webinar);
}

/**
 * Makes a segment the only entry. With two updates a published webinar would have two entries or none in between. Throws
 * webinar_not_found, segment_not_found, webinar_not_publishable.
 */
export async function makeEntry(tx: AccountWriter, address: SegmentAddress): Promise<Segment> {
  const { em, accountId, now } = tx;
  const { webinar, segment } = await lockSegment(tx, address);
  const entries = await em.find(Segment, { accountId, webinarId: webinar.id, isEntry: true });
  for (const entry of entries) em.assign(entry, { isEntry: false, updatedAt: now });
  em.assign(segment, { isEntry: true, updatedAt: now });
  await em.flush();
  await requireSound(tx, webinar);
  return segment;
}

type SegmentAddress = z.output<typeof SegmentInput>;

/** A segment of the account's webinar. Throws webinar_not_found, segment_not_found. */
export async function findSegment(reader: AccountReader, address: SegmentAddress): Promise<Segment> {
  return findSegmentOf(reader, await findWebinar(reader, address.webinarId), address);
}

/** Like findSegment, and locks the webinar against other changes until the end of the transaction. */
export async function lockSegment(
  tx: AccountWriter,
  address: SegmentAddress,
): Promise<{ webinar: Webinar; segment: Segment }> {
  const webinar = await lockWebinar(tx, address.webinarId);
  return { webinar, segment: await findSegmentOf(tx, webinar, address) };
}

/** Like findSegment, for a webinar that is already loaded. */
export async function findSegmentOf(
  { em, accountId }: AccountReader,
  webinar: Pick<Webinar, 'id'>,
  { segmentId }: Pick<SegmentAddress, 'segmentId'>,
): Promise<Segment> {
  const segment = await em.findOne(Segment, { accountId, webinarId: webinar.id, id: segmentId });
  if (!segment) throw webinarErrors.segment_not_found();
  return segment;
}
