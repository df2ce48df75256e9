import type { Interaction } from '../entities/interaction.ts';
import type { InteractionView } from './interaction-outputs.ts';
import { joinFields } from './parts.ts';

export const interactionToOutput = (interaction: Interaction): InteractionView =>
  ({
    id: interaction.id,
    webinarId: interaction.webinarId,
    type: interaction.type,
    ...joinFields(interaction),
    createdAt: interaction.createdAt.toISOString(),
    updatedAt: interaction.updatedAt.toISOString(),
  }) as InteractionView;
