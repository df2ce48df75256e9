import { useQuery } from '@tanstack/react-query';
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
