// The path of a viewer through a graph. Pure: each function returns a new path.
import type { Segment } from '../entities/segment.ts';
import { defaultFrom, entryOf, segmentOf, type Graph } from './graph.ts';
import type { Path, PathSegment } from './path.ts';

/** Moves of a viewer in a session. The limit ends loops in the graph. */
export const movesMax = 50;

/** The path of a new viewer, at the entry. Throws if the graph has no entry, which publishing prevents. */
export function startPath(graph: Graph): Path {
  const entry = entryOf(graph);
  if (!entry) throw new Error('The graph has no entry.');
  const segments = [placed([], entry)];
  return {
    segments,
    currentId: entry.id,
    inTransition: false,
    moves: 0,
    totalSeconds: totalSeconds(segments, entry.id, graph),
  };
}

/**
 * Moves the viewer to a segment. On the first visit, the segment is appended to the viewer's timeline with its current duration.
 * Later visits add nothing.
 */
export function enterSegment(path: Path, segmentId: string, graph: Graph): Path {
  const segments = isEntered(path.segments, segmentId)
    ? path.segments
    : [...path.segments, placed(path.segments, requireSegment(graph, segmentId))];
  return {
    segments,
    currentId: segmentId,
    inTransition: false,
    moves: path.moves + 1,
    totalSeconds: totalSeconds(segments, segmentId, graph),
  };
}

function placed(before: readonly PathSegment[], { id, durationSeconds }: Segment): PathSegment {
  const last = before.at(-1);
  const offsetSeconds = last ? last.offsetSeconds + last.durationSeconds : 0;
  return { segmentId: id, offsetSeconds, durationSeconds };
}

/** The duration of the entered segments, and of those ahead if the viewer takes only default branches. */
function totalSeconds(entered: readonly PathSegment[], currentId: string, graph: Graph): number {
  const ahead = defaultsAhead(graph, currentId).filter(({ id }) => !isEntered(entered, id));
  return [...entered, ...ahead].reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

/** Visits a cycle once. */
function defaultsAhead(graph: Graph, segmentId: string): Segment[] {
  const ahead = new Map<string, Segment>();
  for (let next = afterDefault(graph, segmentId); next && !ahead.has(next.id);) {
    ahead.set(next.id, next);
    next = afterDefault(graph, next.id);
  }
  return [...ahead.values()];
}

function afterDefault(graph: Graph, segmentId: string): Segment | undefined {
  const branch = defaultFrom(graph, segmentId);
  return branch && segmentOf(graph, branch.toSegmentId);
}

const isEntered = (entered: readonly PathSegment[], id: string): boolean =>
  entered.some(({ segmentId }) => segmentId === id);

function requireSegment(graph: Graph, segmentId: string): Segment {
  const segment = segmentOf(graph, segmentId);
  if (!segment) throw new Error(`The graph has no segment ${segmentId}.`);
  return segment;
}
