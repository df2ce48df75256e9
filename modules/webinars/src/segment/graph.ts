import type { Issue } from '@service/errors';
import type { Branch, Segment } from '../entities/segment.ts';

/** The segments of an adaptive webinar and the branches between them. */
export interface Graph {
  segments: readonly Segment[];
  branches: readonly Branch[];
}

/** A graph without the conditions of its branches, which may be a hundred times as long as the rest. */
export interface GraphOutline {
  segments: readonly Segment[];
  branches: readonly BranchOutline[];
}

export type BranchOutline = Omit<Branch, 'conditions'>;

/** The segment that viewers start with. A valid graph has exactly one. */
export const entryOf = ({ segments }: GraphOutline): Segment | undefined =>
  segments.find(({ isEntry }) => isEntry);

export const segmentOf = ({ segments }: GraphOutline, segmentId: string): Segment | undefined =>
  segments.find(({ id }) => id === segmentId);

/** The branches that leave a segment, in the order of evaluation and display. */
export const branchesFrom = <Of extends BranchOutline>(
  { branches }: { branches: readonly Of[] },
  segmentId: string,
): Of[] =>
  branches
    .filter(({ fromSegmentId }) => fromSegmentId === segmentId)
    .toSorted((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1));

export const defaultFrom = (graph: Graph, segmentId: string): Branch | undefined =>
  branchesFrom(graph, segmentId).find(({ via }) => via === 'default');

/** All problems of a graph, none if it can be published. The path of a problem ends in the id of the segment or branch. */
export const graphProblems = (graph: GraphOutline): Issue[] => [
  ...problemsAmong(graph, graph.segments),
  ...unreachableSegments(graph),
];

/**
 * The problems that a viewer can reach. A segment that is not reachable may be incomplete, so that segments can be added to a
 * published webinar and removed from it.
 */
export const viewerProblems = (graph: GraphOutline): Issue[] =>
  problemsAmong(graph, reachableSegments(graph));

function problemsAmong(graph: GraphOutline, segments: readonly Segment[]): Issue[] {
  if (graph.segments.length === 0)
    return [{ path: 'segments', message: 'An adaptive webinar needs at least one segment.' }];
  return [
    ...entryProblems(graph),
    ...segments.flatMap((segment) => exitProblems(graph, segment)),
    ...strayBranches(graph),
  ];
}

function entryProblems({ segments }: GraphOutline): Issue[] {
  const entries = segments.filter(({ isEntry }) => isEntry);
  if (entries.length === 1) return [];
  const message =
    entries.length === 0
      ? 'No segment is the entry. Set isEntry on the segment that viewers start with.'
      : `Only one segment may be the entry, but these are: ${entries.map(quoted).join(', ')}.`;
  return [{ path: 'segments', message }];
}

function exitProblems(graph: GraphOutline, segment: Segment): Issue[] {
  const branches = branchesFrom(graph, segment.id);
  const path = `segments.${segment.id}`;
  if (segment.isTerminal) {
    if (branches.length === 0) return [];
    const labels = branches.map(({ label }) => `"${label}"`).join(', ');
    return [
      { path, message: `The segment ${quoted(segment)} is terminal, but branches leave it: ${labels}.` },
    ];
  }
  const count = branches.filter(({ via }) => via === 'default').length;
  if (count === 1) return [];
  return [
    {
      path,
      message:
        count === 0
          ? `The segment ${quoted(segment)} has no default branch. Add one, or make the segment terminal.`
          : `The segment ${quoted(segment)} has ${count} default branches. It needs exactly one.`,
    },
  ];
}

/** Branches to or from segments that do not exist. The routes prevent them. */
const strayBranches = (graph: GraphOutline): Issue[] =>
  graph.branches
    .filter(
      ({ fromSegmentId, toSegmentId }) => !segmentOf(graph, fromSegmentId) || !segmentOf(graph, toSegmentId),
    )
    .map(({ id, label }) => ({
      path: `branches.${id}`,
      message: `The branch "${label}" leads from or to a segment that the webinar does not have.`,
    }));

function reachableSegments({ segments, branches }: GraphOutline): Segment[] {
  const reached = new Set(segments.filter(({ isEntry }) => isEntry).map(({ id }) => id));
  // A for-of loop over a Set also visits values that are added during the loop.
  for (const id of reached) {
    for (const { fromSegmentId, toSegmentId } of branches) if (fromSegmentId === id) reached.add(toSegmentId);
  }
  return segments.filter(({ id }) => reached.has(id));
}

function unreachableSegments(graph: GraphOutline): Issue[] {
  const reached = new Set(reachableSegments(graph));
  // Without an entry every segment is unreachable. Listing them all would hide the real problem.
  if (reached.size === 0) return [];
  return graph.segments
    .filter((segment) => !reached.has(segment))
    .map((segment) => ({
      path: `segments.${segment.id}`,
      message: `No path leads from the entry to the segment ${quoted(segment)}.`,
    }));
}

const quoted = ({ title }: Segment): string => `"${title}"`;
