// The path of one viewer through the segments of an adaptive webinar. The segments lie one behind the other in one timeline,
// in the order in which they were first entered, so that one bitset covers the watched seconds of all of them.
import { areMet, type AttendeeFacts } from '@service/conditions';
import type { EvaluationBudget } from '@service/conditions/budget';
import { z } from 'zod';
import type { Branch, Segment } from '../entities/segment.ts';
import { branchesFrom, defaultFrom, entryOf, type Graph, segmentOf } from './graph.ts';

export interface PathSegment {
  segmentId: string;
  /** Start in the viewer's timeline. */
  offsetSeconds: number;
  durationSeconds: number;
}

export interface Path {
  /** Each segment once, in the order in which they were first entered. */
  segments: readonly PathSegment[];
  currentId: string;
  /** True between the end of the current segment and the next one. */
  inTransition: boolean;
  /** Number of moves to a segment. Bounded. */
  moves: number;
  /** 100 percent: all segments entered, and those that the default branches lead to from here. */
  totalSeconds: number;
}

const Choice = z.object({
  branchId: z.uuid(),
  label: z.string(),
  promptText: z.string().nullable(),
  promptAtSeconds: z.number().nullable(),
  timeoutSeconds: z.number(),
});

/** The part of a path that a page shows: the viewer's segment and the branches to choose from. */
export const PathState = z.object({
  segmentId: z.uuid(),
  title: z.string(),
  videoUrl: z.string().nullable(),
  durationSeconds: z.number(),
  isTerminal: z.boolean(),
  inTransition: z.boolean().describe('True if the segment has ended and no branch is taken yet.'),
  choices: z.array(Choice),
  defaultBranchId: z.uuid().nullable().describe('The branch to take if the viewer chooses nothing in time.'),
  nextVideoUrls: z
    .array(z.string())
    .describe('Videos of the segments that the branches lead to, for preloading. The default comes first.'),
});

export type PathState = z.output<typeof PathState>;

// The path of a viewer through a graph. Pure: each function returns a new path.

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

/** A viewer at the end of a segment, and the budget for evaluating the conditions of its branches. */
interface Viewer {
  facts: AttendeeFacts;
  budget: EvaluationBudget;
}

/**
 * Decides the next branch at the end of a segment: the first branch whose conditions are met, else `ask` if the segment has
 * choices, else the default. Undefined after a terminal segment. If the budget is spent, the remaining conditions count as not
 * met.
 */
export function nextBranch(
  graph: Graph,
  segmentId: string,
  { facts, budget }: Viewer,
): Branch | 'ask' | undefined {
  const branches = branchesFrom(graph, segmentId);
  const matching = branches.find(
    ({ via, conditions }) => via === 'condition' && areMet(conditions, facts, budget),
  );
  if (matching) return matching;
  if (branches.some(({ via }) => via === 'choice')) return 'ask';
  return branches.find(({ via }) => via === 'default');
}

/** The viewer may take a choice at any time in its segment, and the default only after the end of the segment. */
export function mayTake({ fromSegmentId, via }: Branch, { currentId, inTransition }: Path): boolean {
  if (fromSegmentId !== currentId) return false;
  return via === 'choice' || (via === 'default' && inTransition);
}

/** The state of the viewer's path for pages. A deleted segment has no video and counts as terminal. */
export function pathState(graph: Graph, { segments, currentId, inTransition }: Path): PathState {
  const segment = segmentOf(graph, currentId);
  const entered = segments.find(({ segmentId }) => segmentId === currentId);
  return {
    segmentId: currentId,
    title: segment?.title ?? '',
    videoUrl: segment?.videoUrl ?? null,
    // The duration at the time of entering, because the viewer's timeline uses it.
    durationSeconds: entered?.durationSeconds ?? 0,
    isTerminal: segment?.isTerminal ?? true,
    inTransition,
    choices: branchesFrom(graph, currentId)
      .filter(({ via }) => via === 'choice')
      .map((branch) => ({
        branchId: branch.id,
        label: branch.label,
        promptText: branch.promptText ?? null,
        promptAtSeconds: branch.promptAtSeconds ?? null,
        timeoutSeconds: branch.choiceTimeoutSeconds,
      })),
    defaultBranchId: defaultFrom(graph, currentId)?.id ?? null,
    nextVideoUrls: nextVideoUrls(graph, currentId),
  };
}

function nextVideoUrls(graph: Graph, segmentId: string): string[] {
  const branches = branchesFrom(graph, segmentId).toSorted(
    (one, other) => Number(other.via === 'default') - Number(one.via === 'default'),
  );
  return [...new Set(branches.flatMap(({ toSegmentId }) => segmentOf(graph, toSegmentId)?.videoUrl ?? []))];
}
