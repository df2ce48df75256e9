import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../trpc.ts';

/** One delivery with its tries. */
export function useDelivery(delivery: { webinarId?: string | undefined; deliveryId: string }) {
  const trpc = useTRPC();
  return useQuery(trpc.automations.delivery.queryOptions(delivery));
}

interface SendAgainOptions {
  /** Called with the id of the new delivery. */
  onSuccess?: (deliveryId: string) => void;
  onError?: (error: unknown) => void;
}

/** Sends a delivery again, then reads every list of deliveries again. */
export function useSendAgain({ onSuccess, onError }: SendAgainOptions = {}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, ...mutation } = useMutation(
    trpc.automations.refire.mutationOptions({
      onSuccess: ({ data }) => {
        onSuccess?.(data.id);
        void queryClient.invalidateQueries(trpc.automations.pathFilter());
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
        void queryClient.invalidateQueries(trpc.deliveries.pathFilter());
      },
      onError,
    }),
  );
  /** Without a webinar the rule or subscription was deleted, so nothing can be sent. */
  const sendAgain = (deliveryId: string, webinarId: string | undefined) =>
    webinarId === undefined ? undefined : mutate({ webinarId, deliveryId });
  return { ...mutation, sendAgain };
}
