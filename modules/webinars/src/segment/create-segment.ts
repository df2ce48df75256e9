import { createId, type AccountWriter } from '@service/database';
import { Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { titleToSlug } from '../webinar/slug.ts';
import type { SegmentFields } from './fields.ts';
import { requireSound } from './require-sound.ts';

/** Segments a webinar may have; it also bounds what a room has to load. */
const segmentsMax = 50;

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

/** The keys of a webinar that is held, so nobody else takes one. */
export async function keysOf({ em, accountId }: AccountWriter, webinarId: string): Promise<Set<string>> {
  const segments = await em.find(Segment, { accountId, webinarId }, { fields: ['key'] });
  return new Set(segments.map(({ key }) => key));
}

/** Of the title, with a number from 2 where it is taken: a webinar has fewer segments than there are numbers to try. */
function freeKey(title: string, taken: ReadonlySet<string>): string {
  const base = titleToSlug(title, 'segment');
  const numbered = Array.from({ length: segmentsMax }, (_, index) => `${base}-${index + 2}`);
  return [base, ...numbered].find((key) => !taken.has(key))!;
}
