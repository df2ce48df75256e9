import { createId, type AccountWriter } from '@service/database';
import { Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { titleToSlug } from '../webinar/slug.ts';
import { segmentsMax, type SegmentFields } from './segment-fields.ts';
import { requireSound } from './require-sound.ts';

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
export async function keysOf({ em, accountId }: AccountWriter, webinarId: string): Promise<Set<string>> {
  const segments = await em.find(Segment, { accountId, webinarId }, { fields: ['key'] });
  return new Set(segments.map(({ key }) => key));
}

/** Makes a free key from the title. If it is taken, appends a number from 2 on. There are more numbers than segments. */
function freeKey(title: string, taken: ReadonlySet<string>): string {
  const base = titleToSlug(title, 'segment');
  const numbered = Array.from({ length: segmentsMax }, (_, index) => `${base}-${index + 2}`);
  return [base, ...numbered].find((key) => !taken.has(key))!;
}
