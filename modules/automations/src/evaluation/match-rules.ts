import type { AttendeeEvent } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import type { Evaluation } from '@service/conditions/budget';
import type { TriggeredEvent } from '../event-type/envelope.ts';
import { eventTypes } from '../event-type/event-types.ts';
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
      const { type, params } = rule.trigger;
      const isMatch = eventTypes[type].matches(params, event, budget);
      if (isMatch === undefined) candidates.push({ rule, event, skipReason: 'evaluation_budget' });
      else if (isMatch) candidates.push({ rule, event });
      const turn = evaluation.giveWay(budget);
      if (turn) await turn;
    }
    budget.pause();
  }
  return candidates;
}
