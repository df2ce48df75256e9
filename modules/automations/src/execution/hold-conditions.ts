import type { AccountReader } from '@service/database';
import {
  chatMessages,
  evaluateConditions,
  factsOf,
  type AttendeeFacts,
  type ConditionResult,
} from '@service/webinars';
import type { TriggeredEvent } from '../event/envelope.ts';
import type { Decision } from './decide.ts';

/** A decision with what its conditions came to. */
export interface Evaluation extends Decision {
  results: readonly ConditionResult[];
}

/** Holds the conditions of rules against what is known of the attendees now. One statement at most, for the chat. */
export async function holdConditions(
  tx: Pick<AccountReader, 'query' | 'accountId'>,
  decisions: readonly Decision[],
): Promise<Evaluation[]> {
  const messagesOf = await findMessages(tx, decisions);
  const factsByEvent = new Map<TriggeredEvent, AttendeeFacts>();
  const factsFor = (event: TriggeredEvent): AttendeeFacts => {
    const facts = factsByEvent.get(event) ?? factsOf({ ...event, chatMessages: messagesOf(event) });
    factsByEvent.set(event, facts);
    return facts;
  };
  return decisions.map((decision) => {
    const { conditions } = decision.rule;
    if (decision.skipReason || conditions.length === 0) return { ...decision, results: [] };
    const results = evaluateConditions(conditions, factsFor(decision.event));
    const isHeld = results.every(({ passed }) => passed);
    return isHeld ? { ...decision, results } : { ...decision, results, skipReason: 'condition_not_met' };
  });
}

/** Of an event that is a message, that message; of others what they have said, where a condition asks for it. */
async function findMessages(
  tx: Pick<AccountReader, 'query' | 'accountId'>,
  decisions: readonly Decision[],
): Promise<(event: TriggeredEvent) => readonly string[]> {
  const asking = decisions.filter(
    ({ rule, event, skipReason }) =>
      !skipReason &&
      event.type !== 'chat_response' &&
      rule.conditions.some(({ field }) => field === 'chatMessage'),
  );
  const attendees = new Map(
    asking.map(({ event: { registration } }) => [
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
