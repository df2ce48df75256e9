import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../trpc.ts';

const slotsMax = 50;

/** The sessions that can be booked now, soonest first. Read anew for each form. */
export function useSlots(webinarId: string) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.sessions.slots.queryOptions({ webinarId, limit: slotsMax }, { gcTime: 0 }),
  );
  return { data: data?.data, error, refetch };
}
