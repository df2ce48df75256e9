import { createId, type AccountWriter } from '@service/database';
import type { Condition } from '../condition/condition.ts';
import { Interaction } from '../entities/interaction.ts';

/** From which webinar to which, and the copies of its segments by the originals' ids. */
interface CopyOptions {
  fromWebinarId: string;
  toWebinarId: string;
  segmentIds: ReadonlyMap<string, string>;
}

/**
 * Copies all interactions of a webinar to another one of the account that has none, in one insert and in their order.
 * Conditions that name a copied interaction name its copy. Returns the copies' ids by the originals'.
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

/** The condition of a copy: what was copied beside it is named by the copy's id. */
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
