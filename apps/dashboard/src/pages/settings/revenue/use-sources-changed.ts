import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../trpc.ts';

/** Reads the sources again after one was changed here. */
export function useSourcesChanged() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.revenueSources.pathFilter());
}
