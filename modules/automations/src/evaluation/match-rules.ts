import type { AttendeeEvent } from '@service/attendees';
import {
  foldOnce,
  containsText,
  containsWord,
  type Evaluation,
  type EvaluationBudget,
} from '@service/webinars';
import type { SkipReason } from '../entities.ts';
import type { TriggeredEvent } from '../event/envelope.ts';
import type { Trigger } from '../event/trigger.ts';
import type { LoadedRule, WebinarRules } from './webinar-rules.ts';

/** A rule and an event of its trigger. With a skip reason its conditions are not evaluated and it does not fire. */
export interface Candidate {
  rule: LoadedRule;
  event: TriggeredEvent;
  skipReason?: SkipReason | undefined;
}

/**
 * Finds the rules whose trigger lets each event through, in the order of events and rules. A rule that the budget of the event
 * does not reach becomes a candidate with the reason `evaluation_budget`.
 */
export async function matchRules(
  { byTrigger }: WebinarRules,
  events: readonly AttendeeEvent[],
  evaluation: Evaluation,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const event of events) {
    const rules = byTrigger.get(event.type);
    if (!rules) continue;
    const budget = evaluation.budgetOf(event.id);
    for (const rule of rules) {
      const isMatch = matchesParams(rule.trigger, event, budget);
      if (isMatch === undefined) candidates.push({ rule, event, skipReason: 'evaluation_budget' });
      else if (isMatch) candidates.push({ rule, event });
      const turn = evaluation.giveWay(budget);
      if (turn) await turn;
    }
    budget.pause();
  }
  return candidates;
}

/** True if the params of a trigger let an event of its type through. Undefined if the budget was spent before that was clear. */
export function matchesParams(
  trigger: Trigger,
  { data, mark }: Pick<AttendeeEvent, 'data' | 'mark'>,
  budget: EvaluationBudget,
): boolean | undefined {
  switch (trigger.type) {
    case 'watched_minutes':
      return trigger.params.minutes === mark;
    case 'watched_percent':
      return trigger.params.percent === mark;
    case 'cta_click':
      return isWanted(trigger.params.interactionId, data['interactionId']);
    case 'poll_response': {
      const { interactionId, optionId } = trigger.params;
      const isOption = optionId === undefined || optionId === data['optionId'];
      return isOption && isWanted(interactionId, data['interactionId']);
    }
    case 'chat_response':
      return matchesKeyword(trigger.params, data['message'], budget);
    case 'branch_taken':
      return isWanted(trigger.params.branchId, data['branch_id']);
    case 'segment_completed':
      return isWanted(trigger.params.segmentId, data['segment_id']);
    default:
      return true;
  }
}

/** A rule may contain ids in upper case. */
const isWanted = (wantedId: string | undefined, id: unknown): boolean =>
  wantedId === undefined || wantedId.toLowerCase() === id;

type ChatParams = Extract<Trigger, { type: 'chat_response' }>['params'];

const comparisons: Record<ChatParams['match'], (text: string, keyword: string) => boolean> = {
  contains: containsText,
  contains_word: containsWord,
  equals: (text, keyword) => text === keyword,
  starts_with: (text, keyword) => text.startsWith(keyword),
};

/** True if one of the keywords matches, or there are none. */
function matchesKeyword(
  { keywords, match }: ChatParams,
  message: unknown,
  budget: EvaluationBudget,
): boolean | undefined {
  if (!keywords) return true;
  if (typeof message !== 'string') return false;
  const text = budget.fold(message);
  const isFound = [...foldOnce(keywords, () => keywords, budget)].some((keyword) => {
    if (budget.isSpent) return false;
    budget.spend(text.length + keyword.length);
    return comparisons[match](text, keyword);
  });
  return budget.isSpent ? undefined : isFound;
}
