import type { AttendeeEvent } from '@service/attendees';
import { foldOnce, holdsText, holdsWord, type Evaluation, type EvaluationBudget } from '@service/webinars';
import type { Trigger } from '../event/trigger.ts';
import type { WebinarRules } from '../rule/webinar-rules.ts';
import type { Decision } from './decide.ts';

/**
 * The rules that look at events, in the order of events and rules. An event that a trigger's params leave out is none that the
 * rule looks at; whether they do is not known of a rule that the event's budget does not reach.
 */
export async function matchRules(
  { byTrigger }: WebinarRules,
  events: readonly AttendeeEvent[],
  evaluation: Evaluation,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (const event of events) {
    const rules = byTrigger.get(event.type);
    if (!rules) continue;
    const budget = evaluation.budgetOf(event.id);
    for (const rule of rules) {
      const decided = isMeant(rule.trigger, event, budget);
      if (decided === undefined) decisions.push({ rule, event, skipReason: 'evaluation_budget' });
      else if (decided) decisions.push({ rule, event });
      const turn = evaluation.giveWay(budget);
      if (turn) await turn;
    }
    budget.pause();
  }
  return decisions;
}

/**
 * True if the params of a trigger of its type let an event through. Undefined when the budget was spent before that was known.
 */
export function isMeant(
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
      return holdsKeyword(trigger.params, data['message'], budget);
    case 'branch_taken':
      return isWanted(trigger.params.branchId, data['branch_id']);
    case 'segment_completed':
      return isWanted(trigger.params.segmentId, data['segment_id']);
    default:
      return true;
  }
}

/** Ids may be written in capitals. */
const isWanted = (wantedId: string | undefined, id: unknown): boolean =>
  wantedId === undefined || wantedId.toLowerCase() === id;

type ChatParams = Extract<Trigger, { type: 'chat_response' }>['params'];

const holds: Record<ChatParams['match'], (text: string, keyword: string) => boolean> = {
  contains: holdsText,
  contains_word: holdsWord,
  equals: (text, keyword) => text === keyword,
  starts_with: (text, keyword) => text.startsWith(keyword),
};

/** Any message where there are no keywords; one of them is enough. */
function holdsKeyword(
  { keywords, match }: ChatParams,
  message: unknown,
  budget: EvaluationBudget,
): boolean | undefined {
  if (!keywords) return true;
  if (typeof message !== 'string') return false;
  const text = budget.fold(message);
  const isFound = [...foldOnce(keywords, () => keywords, budget)].some((part) => {
    if (budget.isSpent) return false;
    budget.spend(text.length + part.length);
    return holds[match](text, part);
  });
  return budget.isSpent ? undefined : isFound;
}
