import { useQuery } from '@tanstack/react-query';
import { listAll } from '../../../list-all.ts';
import {
  useTRPC,
  useTRPCClient,
  type Interaction,
  type ResponseCounts,
  type Segment,
} from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';

/** All interactions of the webinar, in the order in which they are shown. Shares the query of the conditions. */
export function useInteractions() {
  const trpc = useTRPC();
  const { interactions } = useTRPCClient();
  const webinarId = useWebinarId();
  return useQuery({
    queryKey: [...trpc.interactions.pathKey(), 'all', webinarId],
    queryFn: ({ signal }) => listAll((page) => interactions.list.query({ webinarId, ...page }, { signal })),
    select: inOrder,
  });
}

const inOrder = (interactions: readonly Interaction[]): Interaction[] =>
  interactions.toSorted(
    (one, other) => one.showAtSeconds - other.showAtSeconds || (one.id < other.id ? -1 : 1),
  );

interface SegmentsOptions {
  enabled?: boolean;
  select?: (segments: readonly Segment[]) => Segment[];
}

/** The segments of an adaptive webinar, oldest first. */
export function useSegments({ enabled = true, select = oldestFirst }: SegmentsOptions) {
  const trpc = useTRPC();
  const { segments } = useTRPCClient();
  const webinarId = useWebinarId();
  return useQuery({
    queryKey: [...trpc.segments.pathKey(), 'all', webinarId],
    queryFn: ({ signal }) => listAll((page) => segments.list.query({ webinarId, ...page }, { signal })),
    select,
    enabled,
  });
}

const oldestFirst = (segments: readonly Segment[]): Segment[] => segments.toReversed();

/** Views, clicks and answers by interaction. Empty until they are counted. */
export function useResponseCounts(): ReadonlyMap<string, ResponseCounts> {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  const { data } = useQuery(trpc.responses.counts.queryOptions({ webinarId }));
  return new Map(data?.data.map((counts) => [counts.interactionId, counts]));
}
