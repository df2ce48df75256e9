import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { loadAll } from '../../../paged-all.ts';
import { failureOf } from '../../../failure.ts';
import { useTRPC, useTRPCClient, type Interaction, type ResponseCounts, type Segment } from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';

/** All interactions of the webinar, in the order in which they are shown. The service allows at most 200. */
export function useInteractions() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const webinarId = useWebinarId();
  return useQuery({
    queryKey: [...trpc.interactions.pathKey(), 'all', webinarId],
    queryFn: async ({ signal }) => {
      const found = await loadAll((page) => client.interactions.list.query({ webinarId, ...page }, { signal }));
      return found.toSorted(
        (one, other) => one.showAtSeconds - other.showAtSeconds || (one.id < other.id ? -1 : 1),
      );
    },
  });
}

/** The segments of an adaptive webinar, oldest first. Empty for a standard one. */
export function useSegments({ isAdaptive }: { isAdaptive: boolean }) {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  return useQuery(
    trpc.segments.list.queryOptions(
      { webinarId, limit: 100 },
      { enabled: isAdaptive, select: ({ data }): Segment[] => data.toReversed() },
    ),
  );
}

/** Views, clicks and answers by interaction. Empty until they are counted. */
export function useResponseCounts(): ReadonlyMap<string, ResponseCounts> {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  const { data } = useQuery(trpc.responses.counts.queryOptions({ webinarId }));
  return new Map(data?.data.map((counts) => [counts.interactionId, counts]));
}

interface Change {
  interaction: Interaction;
  changes: Partial<Pick<Interaction, 'enabled' | 'showAtSeconds' | 'hideAtSeconds'>>;
}

/** Changes an interaction in the list. One after the other, so that the last change of a bar wins. */
export function useChangeInteraction() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ interaction: { webinarId, id: interactionId }, changes }: Change) =>
      client.interactions.update.mutate({ webinarId, interactionId, ...changes }),
    scope: { id: 'change-interaction' },
    onSettled: () => queryClient.invalidateQueries(trpc.interactions.pathFilter()),
    onError: (error, { interaction }) =>
      notifications.show({
        color: 'red',
        title: `“${interaction.internalName}” is unchanged`,
        message: [failureOf(error).message, ...failureOf(error).issues.map(({ message }) => message)].join(' '),
      }),
  });
}
