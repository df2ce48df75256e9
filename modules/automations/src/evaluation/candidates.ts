// The rules that an event may fire: those whose trigger lets it through, then those whose conditions are met.
import { chatMessages, factsOf, type AttendeeEvent } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import {
  evaluateConditions,
  readsMessages,
  type AttendeeFacts,
  type ConditionResult,
} from '@service/conditions';
import type { Evaluation } from '@service/conditions/budget';
import type { AccountReader } from '@service/database';
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

/** A candidate with the results of its conditions. */
export interface Evaluated extends Candidate {
  results: readonly ConditionResult[];
}

/** Attendees whose messages are read by one statement. The messages of one may be 150 KB. */
const attendeesMax = 50;

/**
 * Evaluates the conditions of candidates with the current facts of the attendees, each event within its budget. Reads chat
 * messages only where a condition needs them.
 */
export async function evaluateCandidates(
  tx: Pick<AccountReader, 'query' | 'accountId'>,
  candidates: readonly Candidate[],
  evaluation: Evaluation,
): Promise<Evaluated[]> {
  const evaluated: Evaluated[] = [];
  for (const part of toParts(candidates)) {
    const messagesOf = await findMessages(tx, part);
    for (const [event, ofEvent] of Map.groupBy(part, (candidate) => candidate.event)) {
      const budget = evaluation.budgetOf(event.id);
      let facts: AttendeeFacts | undefined;
      for (const candidate of ofEvent) {
        const { conditions } = candidate.rule;
        if (candidate.skipReason !== undefined || conditions.length === 0) {
          evaluated.push({ ...candidate, results: [] });
          continue;
        }
        facts ??= factsOf({ ...event, chatMessages: messagesOf(event) });
        evaluated.push(
          toEvaluated(candidate, await evaluateConditions(conditions, facts, { budget, evaluation })),
        );
      }
      budget.finish();
    }
  }
  return evaluated;
}

function toEvaluated(candidate: Candidate, results: readonly ConditionResult[] | undefined): Evaluated {
  if (!results) return { ...candidate, results: [], skipReason: 'evaluation_budget' };
  const isMet = results.every(({ passed }) => passed);
  return isMet ? { ...candidate, results } : { ...candidate, results, skipReason: 'condition_not_met' };
}

/** Splits candidates, in their order, so that each part needs the messages of at most fifty attendees. */
function toParts(candidates: readonly Candidate[]): Candidate[][] {
  const parts: Candidate[][] = [[]];
  const attendees = new Set<string>();
  for (const candidate of candidates) {
    if (needsMessages(candidate)) attendees.add(candidate.event.registration.id);
    if (attendees.size > attendeesMax) {
      parts.push([]);
      attendees.clear();
      attendees.add(candidate.event.registration.id);
    }
    parts.at(-1)!.push(candidate);
  }
  return parts;
}

const needsMessages = ({ rule, event, skipReason }: Candidate): boolean =>
  !skipReason && event.type !== 'chat_response' && readsMessages(rule.conditions);

/** The messages that conditions compare: for a chat_response that message, for other events all that the attendee has sent. */
async function findMessages(
  tx: Pick<AccountReader, 'query' | 'accountId'>,
  candidates: readonly Candidate[],
): Promise<(event: TriggeredEvent) => readonly string[]> {
  const attendees = new Map(
    candidates
      .filter(needsMessages)
      .map(({ event: { registration } }) => [
        registration.id,
        { registrationId: registration.id, sessionId: registration.sessionId },
      ]),
  );
  const sent = attendees.size === 0 ? undefined : await chatMessages(tx, [...attendees.values()]);
  return ({ type, data, registration }) => {
    if (type !== 'chat_response') return sent?.get(registration.id) ?? [];
    return typeof data['message'] === 'string' ? [data['message']] : [];
  };
}
