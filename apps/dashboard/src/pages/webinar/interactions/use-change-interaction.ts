// Changes a few fields of an interaction without its form: a switch in the list, or a bar along the video.
import { versionOf } from '@service/trpc/version';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { currentOf } from '../../../failure.ts';
import { useTRPCClient, type Interaction } from '../../../trpc.ts';
import { showRefusal } from '../show-refusal.ts';
import { useInvalidation } from '../use-invalidation.ts';

type Changes = Partial<Pick<Interaction, 'enabled' | 'showAtSeconds' | 'hideAtSeconds'>>;

interface Change {
  /** As it was when the person began to change it. */
  interaction: Interaction;
  changes: Changes;
}

/**
 * Saves changes one after the other, each with If-Match. A change of other fields by another person is kept. When another person
 * changed the same fields, nothing is saved, and the error has the current record (`currentOf`).
 */
export function useChangeInteraction() {
  const { interactions } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.interactions]);
  const own = useRef(new Map<string, OwnChange>());
  const send = async (from: Interaction, changes: Changes): Promise<Interaction> => {
    const { webinarId, id: interactionId } = from;
    const context = { ifMatch: versionOf(from) };
    return (await interactions.update.mutate({ webinarId, interactionId, ...changes }, { context })).data;
  };
  return useMutation({
    mutationFn: async ({ interaction, changes }: Change) => {
      const from = afterOwn(own.current.get(interaction.id), interaction);
      const saved = await send(from, changes).catch((error: unknown) => {
        const current = currentOf(error) as Interaction | undefined;
        if (!current || !hasSame(current, from, changes)) throw error;
        return send(current, changes);
      });
      own.current.set(interaction.id, { began: versionOf(interaction), saved });
    },
    scope: { id: 'change-interaction' },
    onSettled: changed,
    onError(error, { interaction }) {
      if (!currentOf(error))
        showRefusal(`“${interaction.internalName}” is unchanged`, error, { hasIssues: true });
    },
  });
}

interface OwnChange {
  /** The version that the change began with. */
  began: string;
  saved: Interaction;
}

/** A second change may begin before the list shows the first one. It is based on what the first one has saved. */
const afterOwn = (own: OwnChange | undefined, interaction: Interaction): Interaction =>
  own?.began === versionOf(interaction) ? own.saved : interaction;

const hasSame = (one: Interaction, other: Interaction, changes: Changes): boolean =>
  (Object.keys(changes) as (keyof Changes)[]).every((name) => one[name] === other[name]);
