import { createId, type AccountWriter } from '@service/database';
import { Branch } from '../entities/branch.ts';
import { Segment } from '../entities/segment.ts';
import { nameCopies } from '../interaction/copy-interactions.ts';

interface Copying {
  fromWebinarId: string;
  toWebinarId: string;
}

/**
 * Copies all segments of a webinar to another one of the account that has none. Returns the ids of the copies by the ids of the
 * originals.
 */
export async function copySegments(
  { em, accountId, now }: AccountWriter,
  { fromWebinarId, toWebinarId }: Copying,
): Promise<Map<string, string>> {
  const originals = await em.find(
    Segment,
    { accountId, webinarId: fromWebinarId },
    { orderBy: { id: 'asc' } },
  );
  const copyIds = new Map(originals.map(({ id }) => [id, createId()]));
  const copies = originals.map((original) => ({
    ...original,
    id: copyIds.get(original.id)!,
    webinarId: toWebinarId,
    createdAt: now,
    updatedAt: now,
  }));
  if (copies.length > 0) await em.insertMany(Segment, copies);
  return copyIds;
}

/** Copies all branches. `copyIds` maps originals to copies, for segments and for the interactions that conditions name. */
export async function copyBranches(
  { em, accountId, now }: AccountWriter,
  { fromWebinarId, toWebinarId }: Copying,
  copyIds: ReadonlyMap<string, string>,
): Promise<void> {
  const originals = await em.find(
    Branch,
    { accountId, webinarId: fromWebinarId },
    { orderBy: { id: 'asc' } },
  );
  const copies = originals.map((original) => ({
    ...original,
    id: createId(),
    webinarId: toWebinarId,
    fromSegmentId: copyIds.get(original.fromSegmentId)!,
    toSegmentId: copyIds.get(original.toSegmentId)!,
    conditions: original.conditions.map((condition) => nameCopies(condition, copyIds)),
    createdAt: now,
    updatedAt: now,
  }));
  if (copies.length > 0) await em.insertMany(Branch, copies);
}
