import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../trpc.ts';

interface RefireOptions {
  /** Called with the id of the new delivery. */
  onSuccess?: (deliveryId: string) => void;
  onError?: (error: unknown) => void;
}

/** Re-fires failed deliveries of a webinar, then reads every list of deliveries again. */
export function useRefire(webinarId: string, { onSuccess, onError }: RefireOptions = {}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, ...mutation } = useMutation(
    trpc.automations.refire.mutationOptions({
      onSuccess: ({ data }) => {
        onSuccess?.(data.id);
        void queryClient.invalidateQueries(trpc.automations.pathFilter());
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
      },
      onError,
    }),
  );
  return { ...mutation, refire: (deliveryId: string) => mutate({ webinarId, deliveryId }) };
}
