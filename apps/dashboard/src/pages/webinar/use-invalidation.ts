import { useQueryClient, type QueryFilters } from '@tanstack/react-query';
import { useTRPC } from '../../trpc.ts';

/** A function that reads the answers of some procedures again, after a change. */
export function useInvalidation(
  changedOf: (trpc: ReturnType<typeof useTRPC>) => readonly { pathFilter: () => QueryFilters }[],
): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(changedOf(trpc).map((changed) => queryClient.invalidateQueries(changed.pathFilter())));
}
