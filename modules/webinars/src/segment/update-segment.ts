import type { AccountWriter } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';
import type { z } from 'zod';
import { Branch } from '../entities/branch.ts';
import { Interaction } from '../entities/interaction.ts';
import type { Segment } from '../entities/segment.ts';
import { webinarErrors } from '../errors.ts';
import { lateInteractions } from '../interaction/require-room.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { keysOf } from './create-segment.ts';
import type { SegmentFields } from './segment-fields.ts';
import { findSegmentOf } from './find-segment.ts';
import type { SegmentInput } from './inputs.ts';
import { requireSound } from './require-sound.ts';

type Address = z.output<typeof SegmentInput>;

/**
 * Changes the given fields. Throws webinar_not_found, segment_not_found, segment_key_taken, validation_failed if the duration is
 * too short for its interactions and prompts, webinar_not_publishable.
 */
export async function updateSegment(
  tx: AccountWriter,
  address: Address,
  changes: Partial<SegmentFields>,
): Promise<Segment> {
  const webinar = await lockWebinar(tx, address.webinarId);
  const segment = await findSegmentOf(tx, webinar, address);
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
export async function deleteSegment(tx: AccountWriter, address: Address): Promise<void> {
  const { em, accountId } = tx;
  const webinar = await lockWebinar(tx, address.webinarId);
  const segment = await findSegmentOf(tx, webinar, address);
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
export async function removeSegment({ em, accountId, now }: AccountWriter, segment: Segment): Promise<void> {
  await em.nativeUpdate(
    Interaction,
    { accountId, webinarId: segment.webinarId, segmentId: segment.id },
    { segmentId: null, updatedAt: now },
  );
  await em.remove(segment).flush();
}
