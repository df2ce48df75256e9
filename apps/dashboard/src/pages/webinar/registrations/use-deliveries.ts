import { useQueries } from '@tanstack/react-query';
import { useTRPC, type DeliverySummary, type Registration } from '../../../trpc.ts';
import { isUnfinished } from '../../delivery/delivery-status.ts';

const idsPerCall = 25;
const watchingMs = 1500;
const restingMs = 10_000;

/** The deliveries by registration id. Read again soon while one of them is unfinished. */
export function useDeliveries(
  webinarId: string,
  registrations: readonly Registration[],
): Map<string, readonly DeliverySummary[]> {
  const trpc = useTRPC();
  const ids = registrations.map(({ id }) => id);
  // Chunks begin at the oldest registration, so that a new one does not shift all chunks.
  const chunks = chunksOf(ids.toReversed(), idsPerCall);
  return useQueries({
    queries: chunks.map((registrationIds) =>
      trpc.automations.registrationDeliveries.queryOptions(
        { webinarId, registrationIds },
        {
          placeholderData: (before) => before,
          refetchInterval: ({ state }) =>
            state.data?.data.some(({ deliveries }) => deliveries.some(({ status }) => isUnfinished(status)))
              ? watchingMs
              : restingMs,
        },
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

function chunksOf<Entry>(entries: readonly Entry[], size: number): Entry[][] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_unused, index) => entries.slice(index * size, (index + 1) * size));
}
