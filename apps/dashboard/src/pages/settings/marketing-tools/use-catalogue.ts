import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';

export type CatalogueState = ReturnType<typeof useCatalogue>;

/** The fields, tags and lists of a connection's account at its tool, and the call that asks the tool again. */
export function useCatalogue(connectionId: string) {
  const trpc = useTRPC();
  const { connections } = useTRPCClient();
  const queryClient = useQueryClient();
  const slow = { context: { isSlow: true } };
  const options = trpc.connections.catalogue.queryOptions({ connectionId }, { retry: false, trpc: slow });
  const { data, error } = useQuery(options);
  const again = useMutation({
    mutationFn: () => connections.catalogue.query({ connectionId, isFresh: true }, slow),
    onSuccess: (answer) => queryClient.setQueryData(options.queryKey, answer),
  });
  return {
    data: data?.data,
    error: again.error ?? error,
    isReading: again.isPending,
    readAgain: () => again.mutate(),
  };
}
