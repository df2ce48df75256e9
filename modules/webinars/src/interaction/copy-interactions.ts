import { createId, type AccountWriter } from '@service/database';
import type { Condition } from '../condition/condition.ts';
import { Interaction } from './interaction.ts';

/**
 * Copies all interactions of a webinar to another one of the account that has none, in one insert and in their order.
 * Conditions that name a copied interaction name its copy. Segments are not copied, so the copies belong to none.
 */
export async function copyInteractions(
  tx: AccountWriter,
  fromWebinarId: string,
  toWebinarId: string,
): Promise<void> {
  const originals = await tx.em.find(
    Interaction,
    { accountId: tx.accountId, webinarId: fromWebinarId },
    { orderBy: { id: 'asc' } },
  );
  if (originals.length === 0) return;
  const copyIds = new Map(originals.map(({ id }) => [id, createId()]));
  const copies = originals.map((original) => ({
    ...original,
    id: copyIds.get(original.id)!,
    webinarId: toWebinarId,
    segmentId: null,
    showWhen: original.showWhen.map((condition) => nameCopies(condition, copyIds)),
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  await tx.em.insertMany(Interaction, copies);
}

function nameCopies({ value, ...condition }: Condition, copyIds: ReadonlyMap<string, string>): Condition {
  const copyOf = (id: string): string => copyIds.get(id) ?? id;
  if (typeof value === 'string') return { ...condition, value: copyOf(value) };
  if (Array.isArray(value)) return { ...condition, value: value.map(copyOf) };
  if (typeof value === 'object')
    return { ...condition, value: { ...value, interactionId: copyOf(value.interactionId) } };
  return { ...condition, value };
}
