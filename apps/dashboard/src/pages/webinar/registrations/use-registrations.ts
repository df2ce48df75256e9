import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { chunksOf } from '../../../list-all.ts';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type DeliverySummary, type Registration } from '../../../trpc.ts';
import { toFilters, toQuery, useRegistrationsSearch } from './use-registrations-search.ts';

/** The registrations that match the filters in the URL, in its order. */
export function useRegistrations() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { webinarId, search } = useRegistrationsSearch();
  const input = { webinarId, ...toQuery(search) };
  return usePaged({
    queryKey: trpc.registrations.list.queryKey(input),
    fetchPage: (page, signal) => client.registrations.list.query({ ...input, ...page }, { signal }),
  });
}

/** The number of registrations that match the filters. */
export function useRegistrationCount() {
  const trpc = useTRPC();
  const { webinarId, search } = useRegistrationsSearch();
  const { data } = useQuery(
    trpc.registrations.count.queryOptions(
      { webinarId, ...toFilters(search) },
      { placeholderData: (before) => before },
    ),
  );
  return data?.data;
}

const idsPerCall = 50;

/** The deliveries by registration id, one call for each page of registrations. */
export function useDeliveries(
  webinarId: string,
  registrations: readonly Registration[],
): ReadonlyMap<string, readonly DeliverySummary[]> {
  const trpc = useTRPC();
  const ids = registrations.map(({ id }) => id);
  // Chunks begin at the oldest registration, so that a new one does not shift all chunks.
  const chunks = chunksOf(ids.toReversed(), idsPerCall);
  return useQueries({
    queries: chunks.map((registrationIds) =>
      trpc.automations.registrationDeliveries.queryOptions(
        { webinarId, registrationIds },
        { placeholderData: (before) => before },
      ),
    ),
    combine: (results) =>
      new Map(
        results
          .flatMap(({ data }) => data?.data ?? [])
          .map((entry) => [entry.registrationId, entry.deliveries]),
      ),
  });
}

/** Reads everything again that a change of registrations changes: lists, counts, places of sessions and deliveries. */
export function useRegistrationsChanged() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries(trpc.registrations.pathFilter()),
      queryClient.invalidateQueries(trpc.sessions.pathFilter()),
      queryClient.invalidateQueries(trpc.automations.registrationDeliveries.pathFilter()),
    ]);
}
