import { nextTurn, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { Evaluation } from '@service/webinars';
import { buildEnvelope, type TriggeredEvent } from '../event/envelope.ts';
import { evaluateCandidates, type Evaluated } from './evaluate-conditions.ts';
import { claimFirings } from './firings.ts';
import type { Candidate } from './match-rules.ts';
import { createKeepResults, recordExecutions } from './record-executions.ts';

interface FireOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  evaluation: Evaluation;
}

/** Candidates that one statement writes. A batch of 500 registrations may have 100,000, which are 100 MB. */
const writtenMax = 1000;

/** CPU time that this takes. */
const writtenCpuMs = 20;

/**
 * Queues a delivery for each rule whose conditions are met and that has not fired for the same subject, and records an execution
 * for every candidate, in the events' transaction. A skipped rule takes no key, so that it can fire later. Each thousand
 * candidates take the same few statements.
 */
export async function fireRules(
  tx: AccountWriter,
  { deliveries, evaluation }: FireOptions,
  candidates: readonly Candidate[],
): Promise<void> {
  if (candidates.length === 0) return;
  const evaluated = await claimFirings(tx, await evaluateCandidates(tx, candidates, evaluation));
  const bodyOf = bodyBuilder(tx.now);
  const keepResults = createKeepResults();
  for (let start = 0; start < evaluated.length; start += writtenMax) {
    const part = evaluated.slice(start, start + writtenMax);
    const isLast = start + writtenMax >= evaluated.length;
    const deliveryIds = await enqueueFiring(tx, { deliveries, bodyOf }, part);
    const executions = part.map((one) => ({ ...one, deliveryId: deliveryIds.get(one) }));
    await recordExecutions(tx, executions, { keepResults, isLast });
    if (!isLast) await nextTurn(writtenCpuMs);
  }
}

interface EnqueueOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  bodyOf: (event: TriggeredEvent) => string;
}

/** Queues the deliveries of the rules that fire. */
async function enqueueFiring(
  tx: AccountWriter,
  { deliveries, bodyOf }: EnqueueOptions,
  evaluated: readonly Evaluated[],
): Promise<Map<Evaluated, string | undefined>> {
  const firing = evaluated.filter(({ skipReason }) => skipReason === undefined);
  const drafts = firing.map(({ rule, event }) => ({
    endpointId: rule.endpointId,
    eventType: event.type,
    body: bodyOf(event),
  }));
  const ids = drafts.length === 0 ? [] : await deliveries.enqueue(tx, drafts);
  return new Map(firing.map((one, index) => [one, ids[index]]));
}

/** Builds the body of each event once, however many endpoints receive it. */
function bodyBuilder(builtAt: Date): (event: TriggeredEvent) => string {
  const bodies = new Map<TriggeredEvent, string>();
  return (event) => {
    const body = bodies.get(event) ?? JSON.stringify(buildEnvelope(event, builtAt));
    bodies.set(event, body);
    return body;
  };
}
