import { createId, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { Interaction } from '../entities/interaction.ts';
import type { InteractionType } from '../entities/enums.ts';
import { webinarErrors } from '../errors.ts';
import { lockWebinar } from '../webinar/find-webinar.ts';
import { interactionsMax } from './interaction-fields.ts';
import { splitFields } from './parts.ts';
import { placeProblems } from './place-problems.ts';
import type { InteractionFields } from './problems-of.ts';

interface NewInteraction extends InteractionFields {
  webinarId: string;
}

/** Adds an interaction to a webinar. Throws webinar_not_found, validation_failed, interaction_limit_reached. */
export async function createInteraction(
  tx: AccountWriter,
  type: InteractionType,
  { webinarId, ...fields }: NewInteraction,
): Promise<Interaction> {
  const webinar = await lockWebinar(tx, webinarId);
  const issues = await placeProblems(tx, webinar, fields);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const count = await tx.em.count(Interaction, { accountId: tx.accountId, webinarId: webinar.id });
  if (count >= interactionsMax) throw webinarErrors.interaction_limit_reached();
  const { common, details } = splitFields(type, fields);
  const interaction = tx.em.create(Interaction, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    type,
    ...common,
    details,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  return interaction;
}
