import type { AccountReader, AccountWriter } from '@service/database';
import { Interaction } from '../entities/interaction.ts';
import type { InteractionType } from '../entities/enums.ts';
import type { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';

export interface InteractionAddress {
  webinarId: string;
  interactionId: string;
  /** If given, an interaction of another type is not found. */
  type?: InteractionType;
}

/** An interaction of the account's webinar. Throws webinar_not_found, interaction_not_found. */
export async function findInteraction(
  reader: AccountReader,
  address: InteractionAddress,
): Promise<Interaction> {
  return findInWebinar(reader, await findWebinar(reader, address.webinarId), address);
}

/** Like findInteraction, and locks the webinar against other changes until the end of the transaction. */
export async function lockInteraction(tx: AccountWriter, address: InteractionAddress): Promise<Interaction> {
  return findInWebinar(tx, await lockWebinar(tx, address.webinarId), address);
}

/** Like findInteraction, for a webinar that is already loaded. */
export async function findInWebinar(
  reader: AccountReader,
  webinar: Pick<Webinar, 'id'>,
  { interactionId, type }: InteractionAddress,
): Promise<Interaction> {
  const interaction = await reader.em.findOne(Interaction, {
    accountId: reader.accountId,
    webinarId: webinar.id,
    id: interactionId,
    ...(type && { type }),
  });
  if (!interaction) throw webinarErrors.interaction_not_found();
  return interaction;
}
