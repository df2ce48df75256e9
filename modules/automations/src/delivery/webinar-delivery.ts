import { idAt, idTime, type AccountReader, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { automationErrors } from '../errors.ts';
import { Execution } from '../execution/execution.ts';
import { Rule } from '../rule/rule.ts';
import { holdRule } from '../rule/rules.ts';
import { holdSubscription } from '../subscription/find-subscriptions.ts';
import type { RedeliveryOutput, WebinarDeliveryInput, WebinarDeliveryOutput } from './schemas.ts';

type Key = z.output<typeof WebinarDeliveryInput>;

/** One delivery of this webinar: of an event, a repeat or a test. Throws webinar_not_found, delivery_not_found. */
export async function findWebinarDelivery(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, deliveryId }: Key,
): Promise<z.input<typeof WebinarDeliveryOutput>> {
  const webinar = await findWebinar(reader, webinarId);
  const endpointId = await deliveries.endpointOf(reader, deliveryId);
  const rule = await reader.em.findOne(Rule, {
    accountId: reader.accountId,
    webinarId: webinar.id,
    endpointId,
  });
  const delivery = await deliveries.get(reader, { deliveryId });
  const execution = await findExecution(reader, {
    webinarId: webinar.id,
    deliveryId: delivery.redeliveryOf ?? deliveryId,
  });
  const sourceName = execution?.ruleName ?? rule?.name;
  if (sourceName === undefined) throw automationErrors.delivery_not_found();
  return { ...delivery, sourceName, source: rule && sourceOf(rule) };
}

const sourceOf = ({ id, subscriptionId, enabled }: Rule) =>
  subscriptionId
    ? { kind: 'webhook' as const, id: subscriptionId, enabled }
    : { kind: 'rule' as const, id, enabled };

/** How much later than its delivery an execution gets its id: both are made in one transaction. */
const executionLagMs = 60_000;

/** What made a delivery, looked for only where it can be: a webinar can have a million. */
function findExecution({ em, accountId }: AccountReader, { webinarId, deliveryId }: Key) {
  const latest = idAt(new Date(idTime(deliveryId).getTime() + executionLagMs));
  return em.findOne(Execution, { accountId, webinarId, deliveryId, id: { $gt: deliveryId, $lt: latest } });
}

/**
 * Sends a failed delivery of this webinar again. Throws delivery_not_found, delivery_not_failed, delivery_still_waiting,
 * rule_disabled, webhook_inactive, and rule_not_found when nothing is left that could send it.
 */
export async function refire(
  tx: AccountWriter,
  deliveries: Deliveries,
  key: Key,
): Promise<z.input<typeof RedeliveryOutput>> {
  const { source } = await findWebinarDelivery(tx, deliveries, key);
  if (!source) throw automationErrors.rule_not_found();
  const endpointId = await holdEndpoint(tx, key.webinarId, source);
  const { deliveryId } = key;
  const redelivery = await deliveries.redeliver(tx, { deliveryId, endpointId, onlyFailed: true });
  return { ...redelivery, status: 'queued' };
}

async function holdEndpoint(
  tx: AccountWriter,
  webinarId: string,
  { kind, id }: ReturnType<typeof sourceOf>,
): Promise<string> {
  if (kind === 'rule') {
    const { enabled, endpointId } = await holdRule(tx, { webinarId, ruleId: id });
    if (!enabled) throw automationErrors.rule_disabled();
    return endpointId;
  }
  const { active, endpointId } = await holdSubscription(tx, { webinarId, webhookId: id });
  if (!active) throw automationErrors.webhook_inactive();
  return endpointId;
}
