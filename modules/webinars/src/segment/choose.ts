import { areMet } from '../condition/evaluate-conditions.ts';
import type { EvaluationBudget } from '../condition/evaluation-budget.ts';
import type { AttendeeFacts } from '../condition/attendee-facts.ts';
import type { Branch } from '../entities/branch.ts';
import { branchesFrom, defaultFrom, segmentOf, type Graph } from './graph.ts';
import type { Path, PathState } from './path.ts';

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
  };
}
