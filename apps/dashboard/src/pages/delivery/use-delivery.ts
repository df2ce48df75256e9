import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../trpc.ts';
import { isUnfinished, watchingMs } from './delivery-status.ts';

/** One delivery with its attempts. Read again while it can change. */
export function useDelivery(delivery: { webinarId: string; deliveryId: string }) {
  const trpc = useTRPC();
  return useQuery(
    trpc.automations.delivery.queryOptions(delivery, {
      refetchInterval: ({ state }) =>
        state.data && isUnfinished(state.data.data.status) ? watchingMs : false,
    }),
  );
}

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
