import { doHold } from '../condition/evaluate-conditions.ts';
import type { EvaluationBudget } from '../condition/evaluation-budget.ts';
import type { AttendeeFacts } from '../condition/facts.ts';
import type { Branch } from '../entities/branch.ts';
import { branchesFrom, defaultFrom, segmentOf, type Graph } from './graph.ts';
import type { Path, PathState } from './path.ts';

/** A viewer at the end of a segment, and the budget to find out where they go. */
interface Viewer {
  facts: AttendeeFacts;
  budget: EvaluationBudget;
}

/**
 * Where to go when a segment has ended: the first branch whose conditions all hold, else the viewer is asked when there is
 * something to choose, else the default. Undefined after a terminal segment. A branch that the budget does not reach does not
 * hold.
 */
export function nextBranch(
  graph: Graph,
  segmentId: string,
  { facts, budget }: Viewer,
): Branch | 'ask' | undefined {
  const branches = branchesFrom(graph, segmentId);
  const holding = branches.find(
    ({ via, conditions }) => via === 'condition' && doHold(conditions, facts, budget),
  );
  if (holding) return holding;
  if (branches.some(({ via }) => via === 'choice')) return 'ask';
  return branches.find(({ via }) => via === 'default');
}

/** Whether the viewer may take a branch: a choice while its segment lasts, the default only once they were asked. */
export function mayTake({ fromSegmentId, via }: Branch, { currentId, inTransition }: Path): boolean {
  if (fromSegmentId !== currentId) return false;
  return via === 'choice' || (via === 'default' && inTransition);
}

/** What a page shows of where the viewer is. A segment that is gone shows nothing and is an end. */
export function pathState(graph: Graph, { segments, currentId, inTransition }: Path): PathState {
  const segment = segmentOf(graph, currentId);
  const entered = segments.find(({ segmentId }) => segmentId === currentId);
  return {
    segmentId: currentId,
    title: segment?.title ?? '',
    videoUrl: segment?.videoUrl ?? null,
    // As long as it was when they entered it: that is how much of their timeline it takes.
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
