import { nextTurn, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { Evaluation } from '@service/webinars';
import { buildEnvelope, type TriggeredEvent } from '../event/envelope.ts';
import type { ListeningRule } from '../rule/listening-rule.ts';
import { claimFirings } from './claim-firings.ts';
import { holdConditions, type Evaluated } from './hold-conditions.ts';
import { createKeepResults, type KeepResults } from './keep-results.ts';
import type { SkipReason } from './execution.ts';
import { recordExecutions } from './record-executions.ts';

/** A rule that looks at an event. With a reason it does not fire, whatever its conditions say. */
export interface Decision {
  rule: ListeningRule;
  event: TriggeredEvent;
  skipReason?: SkipReason | undefined;
}

interface DecideOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  evaluation: Evaluation;
}

/** Evaluations that are written at once: a batch of 500 registrations may have a hundred thousand, which are a hundred MB. */
const writtenMax = 1000;

/** CPU that so many take. */
const writtenCpuMs = 20;

/**
 * Fires the rules whose conditions hold and that have not fired for this before, in the events' transaction, and records what
 * came of all of them. A handful of statements for every thousand evaluations, however many events and rules there are. What a
 * failed condition, a reason or the budget holds back uses up no key, so that the rule may fire another time.
 */
export async function decide(
  tx: AccountWriter,
  { deliveries, evaluation }: DecideOptions,
  decisions: readonly Decision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const held = await holdConditions(tx, decisions, evaluation);
  const evaluations = await claimFirings(tx, held);
  const bodyOf = bodyBuilder(tx.now);
  const keepResults = createKeepResults();
  for (let start = 0; start < evaluations.length; start += writtenMax) {
    const end = start + writtenMax;
    const isLast = end >= evaluations.length;
    await write(tx, { deliveries, bodyOf, keepResults, isLast }, evaluations.slice(start, end));
    if (!isLast) await nextTurn(writtenCpuMs);
  }
}

interface Making {
  deliveries: Pick<Deliveries, 'enqueue'>;
  bodyOf: (event: TriggeredEvent) => string;
  keepResults: KeepResults;
  isLast: boolean;
}

/** Queues the deliveries of some evaluations, and records them. */
async function write(
  tx: AccountWriter,
  { deliveries, bodyOf, keepResults, isLast }: Making,
  evaluations: readonly Evaluated[],
): Promise<void> {
  const firing = evaluations.filter(({ skipReason }) => skipReason === undefined);
  const drafts = firing.map(({ rule, event }) => ({
    endpointId: rule.endpointId,
    eventType: event.type,
    body: bodyOf(event),
  }));
  const deliveryIds = drafts.length === 0 ? [] : await deliveries.enqueue(tx, drafts);
  const deliveryIdByEvaluation = new Map(firing.map((evaluation, index) => [evaluation, deliveryIds[index]]));
  await recordExecutions(
    tx,
    evaluations.map((evaluation) => ({ ...evaluation, deliveryId: deliveryIdByEvaluation.get(evaluation) })),
    { keepResults, isLast },
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
