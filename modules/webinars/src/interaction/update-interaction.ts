import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { Interaction } from '../entities/interaction.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';
import { findInWebinar, type InteractionAddress } from './find-interaction.ts';
import { joinFields, splitFields } from './parts.ts';
import { placeProblems } from './place-problems.ts';
import { problemsOf, type InteractionFields } from './problems-of.ts';

/**
 * Changes some fields of an interaction, never its type. Poll options are replaced as a whole. Throws webinar_not_found,
 * interaction_not_found, validation_failed with all problems of the result.
 */
export async function updateInteraction(
  tx: AccountWriter,
  address: InteractionAddress,
  changes: Partial<InteractionFields>,
): Promise<Interaction> {
  const webinar = await lockWebinar(tx, address.webinarId);
  const interaction = await findInWebinar(tx, webinar, address);
  const fields = { ...joinFields(interaction), ...changes };
  // An interaction whose segment was deleted can be after the end of the webinar. It can still be changed otherwise.
  const isMoved = changes.segmentId !== undefined || changes.showAtSeconds !== undefined;
  const issues = [
    ...problemsOf({ ...fields, type: interaction.type }),
    ...(isMoved ? await placeProblems(tx, webinar, fields) : []),
  ];
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const { common, details } = splitFields(interaction.type, fields);
  Object.assign(interaction, { ...common, details, updatedAt: tx.now });
  await tx.em.flush();
  return interaction;
}

/** Deletes an interaction. Its events stay in the event stream. Throws webinar_not_found, interaction_not_found. */
export async function deleteInteraction(
  tx: AccountWriter,
  { webinarId, interactionId, type }: InteractionAddress,
): Promise<void> {
  const webinar = await findWebinar(tx, webinarId);
  const deleted = await tx.em.nativeDelete(Interaction, {
    accountId: tx.accountId,
    webinarId: webinar.id,
    id: interactionId,
    ...(type && { type }),
  });
  if (deleted === 0) throw webinarErrors.interaction_not_found();
}
