import { useQuery } from '@tanstack/react-query';
import { listAll } from '../../../list-all.ts';
import { useTRPC, useTRPCClient, type Branch, type GraphProblem, type Segment } from '../../../trpc.ts';
import { useSegments } from '../interactions/use-interactions.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useWebinarId } from '../use-webinar.ts';

export interface EditedGraph {
  /** The entry first, then in the order of creation. */
  segments: readonly Segment[];
  branches: readonly Branch[];
  problems: readonly GraphProblem[];
}

/** The segments and branches of the webinar, and what prevents publishing. */
export function useGraph(): { graph: EditedGraph | undefined; error: unknown; refetch: () => void } {
  const trpc = useTRPC();
  const { segments } = useTRPCClient();
  const webinarId = useWebinarId();
  const foundSegments = useSegments({ select: entryFirst });
  const foundBranches = useQuery({
    queryKey: [...trpc.segments.branches.pathKey(), 'all', webinarId],
    queryFn: ({ signal }) =>
      listAll((page) => segments.branches.list.query({ webinarId, ...page }, { signal })),
  });
  const foundProblems = useQuery(trpc.segments.problems.queryOptions({ webinarId }));
  const all = [foundSegments, foundBranches, foundProblems];
  const isLoaded = foundSegments.data && foundBranches.data && foundProblems.data;
  return {
    graph: isLoaded && {
      segments: foundSegments.data,
      branches: foundBranches.data,
      problems: foundProblems.data.data,
    },
    error: isLoaded ? undefined : all.find(({ error }) => error)?.error,
    refetch: () => {
      for (const query of all) if (query.error) void query.refetch();
    },
  };
}

const entryFirst = (segments: readonly Segment[]): Segment[] =>
  segments.toReversed().toSorted((one, other) => Number(other.isEntry) - Number(one.isEntry));

/** Reads everything that a change of the graph may have changed: also the interactions of a deleted segment and the publish check. */
export const useGraphChanged = () =>
  useInvalidation((trpc) => [trpc.segments, trpc.interactions, trpc.webinars.publishCheck]);

/** The branches that leave a segment, in the order in which they are tried. The service orders them the same way. */
export const branchesFrom = (branches: readonly Branch[], segmentId: string): Branch[] =>
  branches
    .filter(({ fromSegmentId }) => fromSegmentId === segmentId)
    .toSorted((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1));
