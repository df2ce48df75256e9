import type { Issue } from '@service/errors';
import type { Branch } from '../entities/branch.ts';
import type { Segment } from '../entities/segment.ts';

/** The segments of an adaptive webinar and the ways between them. */
export interface Graph {
  segments: readonly Segment[];
  branches: readonly Branch[];
}

/** Where everybody begins; a sound graph has it. */
export const entryOf = ({ segments }: Graph): Segment | undefined => segments.find(({ isEntry }) => isEntry);

export const segmentOf = ({ segments }: Graph, segmentId: string): Segment | undefined =>
  segments.find(({ id }) => id === segmentId);

/** The branches that leave a segment, in the order in which they are tried and shown. */
export const branchesFrom = ({ branches }: Graph, segmentId: string): Branch[] =>
  branches
    .filter(({ fromSegmentId }) => fromSegmentId === segmentId)
    .toSorted((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1));

export const defaultFrom = (graph: Graph, segmentId: string): Branch | undefined =>
  branchesFrom(graph, segmentId).find(({ via }) => via === 'default');

/** Everything that keeps a graph from being played to attendees; none when it is sound. Paths end in the id of what is wrong. */
export const graphProblems = (graph: Graph): Issue[] => [
  ...problemsAmong(graph, graph.segments),
  ...unreachableSegments(graph),
];

/**
 * Those of them that a viewer could run into. A segment that no way leads to yet, or any more, may be unfinished: it is how one is
 * added to a webinar that is being shown, and taken away again.
 */
export const viewerProblems = (graph: Graph): Issue[] => problemsAmong(graph, reachableSegments(graph));

function problemsAmong(graph: Graph, segments: readonly Segment[]): Issue[] {
  if (graph.segments.length === 0)
    return [{ path: 'segments', message: 'An adaptive webinar needs at least one segment.' }];
  return [
    ...entryProblems(graph),
    ...segments.flatMap((segment) => exitProblems(graph, segment)),
    ...strayBranches(graph),
  ];
}

function entryProblems({ segments }: Graph): Issue[] {
  const entries = segments.filter(({ isEntry }) => isEntry);
  if (entries.length === 1) return [];
  const message =
    entries.length === 0
      ? 'No segment is the entry. Set isEntry of the one that everybody begins with.'
      : `Only one segment may be the entry, but these are: ${entries.map(quoted).join(', ')}.`;
  return [{ path: 'segments', message }];
}

function exitProblems(graph: Graph, segment: Segment): Issue[] {
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

/** The routes do not let them come into being; they would lead viewers nowhere. */
const strayBranches = (graph: Graph): Issue[] =>
  graph.branches
    .filter(
      ({ fromSegmentId, toSegmentId }) => !segmentOf(graph, fromSegmentId) || !segmentOf(graph, toSegmentId),
    )
    .map(({ id, label }) => ({
      path: `branches.${id}`,
      message: `The branch "${label}" leads from or to a segment that is not one of the webinar's.`,
    }));

function reachableSegments({ segments, branches }: Graph): Segment[] {
  const reached = new Set(segments.filter(({ isEntry }) => isEntry).map(({ id }) => id));
  // What is added to a set while it is walked through is walked through as well.
  for (const id of reached) {
    for (const { fromSegmentId, toSegmentId } of branches) if (fromSegmentId === id) reached.add(toSegmentId);
  }
  return segments.filter(({ id }) => reached.has(id));
}

function unreachableSegments(graph: Graph): Issue[] {
  const reached = new Set(reachableSegments(graph));
  // Without an entry that is the problem, and naming every segment would hide it.
  if (reached.size === 0) return [];
  return graph.segments
    .filter((segment) => !reached.has(segment))
    .map((segment) => ({
      path: `segments.${segment.id}`,
      message: `No way leads from the entry to the segment ${quoted(segment)}.`,
    }));
}

const quoted = ({ title }: Segment): string => `"${title}"`;
