import type { AccountReader } from '@service/database';
import { chatMessages, factsOf } from '@service/attendees';
import {
  evaluateConditions,
  type AttendeeFacts,
  type Condition,
  type ConditionResult,
  type Evaluation,
  type EvaluationBudget,
} from '@service/webinars';
import type { TriggeredEvent } from '../event/envelope.ts';
import type { Decision } from './decide.ts';

/** A decision with what its conditions came to. */
export interface Evaluated extends Decision {
  results: readonly ConditionResult[];
}

/** Attendees whose messages are read at once: they may be 150 KB each. */
const attendeesMax = 50;

/**
 * Evaluates the conditions of rules against what is known of the attendees now, each event within its budget. One statement for
 * the chat of every fifty attendees where conditions ask for it.
 */
export async function holdConditions(
  tx: Pick<AccountReader, 'query' | 'accountId'>,
  decisions: readonly Decision[],
  evaluation: Evaluation,
): Promise<Evaluated[]> {
  const evaluated: Evaluated[] = [];
  for (const part of toParts(decisions)) {
    const messagesOf = await findMessages(tx, part);
    for (const [event, own] of Map.groupBy(part, (decision) => decision.event)) {
      const budget = evaluation.budgetOf(event.id);
      let facts: AttendeeFacts | undefined;
      for (const decision of own) {
        const { conditions } = decision.rule;
        const needsNone = decision.skipReason !== undefined || conditions.length === 0;
        if (!needsNone) facts ??= factsOf({ ...event, chatMessages: messagesOf(event) });
        const results = needsNone ? [] : await evaluateInTurns(conditions, facts!, { budget, evaluation });
        evaluated.push(toEvaluated(decision, results));
      }
      budget.finish();
    }
  }
  return evaluated;
}

interface Turns {
  budget: EvaluationBudget;
  evaluation: Evaluation;
}

/**
 * Evaluates conditions one by one, and lets other work of the process run in between: those of one rule may take all of the
 * event's budget. Undefined when the budget was spent before the last one was done.
 */
async function evaluateInTurns(
  conditions: readonly Condition[],
  facts: AttendeeFacts,
  turns: Turns,
): Promise<ConditionResult[] | undefined> {
  const results: ConditionResult[] = [];
  for (const condition of conditions) {
    const result = await evaluateInParts(condition, facts, turns);
    if (!result) return undefined;
    results.push(result);
    const turn = turns.evaluation.giveWay(turns.budget);
    if (turn) await turn;
  }
  return results;
}

/** Evaluates one condition. With many long messages that takes long, so it is done message by message. */
async function evaluateInParts(
  condition: Condition,
  facts: AttendeeFacts,
  turns: Turns,
): Promise<ConditionResult | undefined> {
  const { budget, evaluation } = turns;
  const evaluate = (chatMessages: readonly string[]): ConditionResult | undefined =>
    evaluateConditions([condition], { ...facts, chatMessages }, budget)?.[0];
  const { chatMessages } = facts;
  if (!isSearch(condition)) {
    if (condition.field === 'chatMessage') await foldMessages(chatMessages, turns);
    return evaluate(chatMessages);
  }
  if (chatMessages.length === 0) return evaluate(chatMessages);
  for (const [index, message] of chatMessages.entries()) {
    const result = evaluate([message]);
    if (!result) return undefined;
    const isLast = index === chatMessages.length - 1;
    if (result.passed || isLast) return { ...result, actual: chatMessages };
    const turn = evaluation.giveWay(budget);
    if (turn) await turn;
  }
  return undefined;
}

/** Folds what a condition is about to compare. The budget remembers folded texts, so each message costs this once. */
async function foldMessages(messages: readonly string[], { budget, evaluation }: Turns): Promise<void> {
  for (const message of messages) {
    budget.fold(message);
    if (budget.isSpent) return;
    const turn = evaluation.giveWay(budget);
    if (turn) await turn;
  }
}

/** One message that contains the text is enough. */
const isSearch = ({ field, operator }: Condition): boolean =>
  field === 'chatMessage' && (operator === 'contains' || operator === 'contains_word');

function toEvaluated(decision: Decision, results: readonly ConditionResult[] | undefined): Evaluated {
  if (!results) return { ...decision, results: [], skipReason: 'evaluation_budget' };
  const isHeld = results.every(({ passed }) => passed);
  return isHeld ? { ...decision, results } : { ...decision, results, skipReason: 'condition_not_met' };
}

/** In their order, with at most fifty attendees in each part whose messages are asked for. */
function toParts(decisions: readonly Decision[]): Decision[][] {
  const parts: Decision[][] = [[]];
  const asked = new Set<string>();
  for (const decision of decisions) {
    if (asksForMessages(decision)) asked.add(decision.event.registration.id);
    if (asked.size > attendeesMax) {
      parts.push([]);
      asked.clear();
      asked.add(decision.event.registration.id);
    }
    parts.at(-1)!.push(decision);
  }
  return parts;
}

const asksForMessages = ({ rule, event, skipReason }: Decision): boolean =>
  !skipReason &&
  event.type !== 'chat_response' &&
  rule.conditions.some(({ field }) => field === 'chatMessage');

/** Of an event that is a message, that message; of others what they have said, where a condition asks for it. */
async function findMessages(
  tx: Pick<AccountReader, 'query' | 'accountId'>,
  decisions: readonly Decision[],
): Promise<(event: TriggeredEvent) => readonly string[]> {
  const attendees = new Map(
    decisions
      .filter(asksForMessages)
      .map(({ event: { registration } }) => [
        registration.id,
        { registrationId: registration.id, sessionId: registration.sessionId },
      ]),
  );
  const said = attendees.size === 0 ? undefined : await chatMessages(tx, [...attendees.values()]);
  return ({ type, data, registration }) => {
    if (type !== 'chat_response') return said?.get(registration.id) ?? [];
    return typeof data['message'] === 'string' ? [data['message']] : [];
  };
}
