import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InteractionType } from '@service/webinars/inputs';
import { useTRPC, useTRPCClient, type Interaction } from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';
import { toBody, type InteractionValues } from './form-values.ts';

interface SaveOptions {
  type: InteractionType;
  /** Absent for a new one. */
  stored: Interaction | undefined;
  onSaved: () => void;
}

/** Creates or changes an interaction. */
export function useSaveInteraction({ type, stored, onSaved }: SaveOptions) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const webinarId = useWebinarId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (values: InteractionValues) => {
      const body = toBody(type, values);
      return stored
        ? client.interactions.update.mutate({ webinarId, interactionId: stored.id, ...body })
        : client.interactions.create.mutate({ webinarId, type, ...body });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(trpc.interactions.pathFilter());
      onSaved();
    },
  });
  const save = (values: InteractionValues, onError: (refusal: unknown) => void) =>
    mutate(values, { onError });
  return { save, isPending, error };
}
