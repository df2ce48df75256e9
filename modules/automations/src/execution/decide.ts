import type { AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { buildEnvelope, type TriggeredEvent } from '../event/envelope.ts';
import type { ListeningRule } from '../rule/listening-rule.ts';
import { claimFirings } from './claim-firings.ts';
import { holdConditions } from './hold-conditions.ts';
import type { SkipReason } from './execution.ts';
import { recordExecutions } from './record-executions.ts';

/** A rule that looks at an event. With a reason it does not fire, whatever its conditions say. */
export interface Decision {
  rule: ListeningRule;
  event: TriggeredEvent;
  skipReason?: SkipReason | undefined;
}

/**
 * Fires the rules whose conditions hold and that have not fired for this before, in the events' transaction, and records what
 * came of all of them. A handful of statements, however many events and rules there are. What a failed condition or a reason
 * holds back uses up no key, so that the rule may fire another time.
 */
export async function decide(
  tx: AccountWriter,
  deliveries: Pick<Deliveries, 'enqueue'>,
  decisions: readonly Decision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const held = await holdConditions(tx, decisions);
  const evaluations = await claimFirings(tx, held);
  const firing = evaluations.filter(({ skipReason }) => skipReason === undefined);
  const bodyOf = bodyBuilder(tx.now);
  const drafts = firing.map(({ rule, event }) => ({
    endpointId: rule.endpointId,
    eventType: event.type,
    body: bodyOf(event),
  }));
  const deliveryIds = drafts.length === 0 ? [] : await deliveries.enqueue(tx, drafts);
  const deliveryIdByEvaluation = new Map(firing.map((evaluation, index) => [evaluation, deliveryIds[index]]));
  recordExecutions(
    tx,
    evaluations.map((evaluation) => ({ ...evaluation, deliveryId: deliveryIdByEvaluation.get(evaluation) })),
  );
}

/** Each event's body is built once, whoever gets it. */
function bodyBuilder(builtAt: Date): (event: TriggeredEvent) => string {
  const bodies = new Map<TriggeredEvent, string>();
  return (event) => {
    const body = bodies.get(event) ?? JSON.stringify(buildEnvelope(event, builtAt));
    bodies.set(event, body);
    return body;
  };
}
