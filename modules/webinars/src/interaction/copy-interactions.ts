import { createId, type AccountWriter } from '@service/database';
import type { Condition } from '../condition/condition.ts';
import { Interaction } from '../entities/interaction.ts';

/** `segmentIds` maps the ids of the original segments to those of the copies. */
interface CopyOptions {
  fromWebinarId: string;
  toWebinarId: string;
  segmentIds: ReadonlyMap<string, string>;
}

/**
 * Copies all interactions of a webinar, in their order, to another webinar of the account that has none. Conditions that name a
 * copied interaction name its copy. Returns the ids of the copies by the ids of the originals.
 */
export async function copyInteractions(
  tx: AccountWriter,
  { fromWebinarId, toWebinarId, segmentIds }: CopyOptions,
): Promise<Map<string, string>> {
  const originals = await tx.em.find(
    Interaction,
    { accountId: tx.accountId, webinarId: fromWebinarId },
    { orderBy: { id: 'asc' } },
  );
  const copyIds = new Map(originals.map(({ id }) => [id, createId()]));
  if (originals.length === 0) return copyIds;
  const copies = originals.map((original) => ({
    ...original,
    id: copyIds.get(original.id)!,
    webinarId: toWebinarId,
    segmentId: segmentIds.get(original.segmentId ?? '') ?? null,
    showWhen: original.showWhen.map((condition) => nameCopies(condition, copyIds)),
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  await tx.em.insertMany(Interaction, copies);
  return copyIds;
}

/** Replaces the ids of originals in a condition by the ids of their copies. */
export function nameCopies(
  { value, ...condition }: Condition,
  copyIds: ReadonlyMap<string, string>,
): Condition {
  const copyOf = (id: string): string => copyIds.get(id) ?? id;
  if (typeof value === 'string') return { ...condition, value: copyOf(value) };
  if (Array.isArray(value)) return { ...condition, value: value.map(copyOf) };
  if (typeof value === 'object')
    return { ...condition, value: { ...value, interactionId: copyOf(value.interactionId) } };
  return { ...condition, value };
}
