import { createId, lockLimit, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { automationErrors } from '../errors.ts';
import type { SubscribableEventType } from '../event/event-types.ts';
import { noteRulesChanged } from '../rule/note-rules-changed.ts';
import { Rule } from '../rule/rule.ts';
import { describeSubscriptions, holdSubscription, type Webhook } from './find-subscriptions.ts';
import type { CreateWebhookInput, UpdateWebhookInput, WebhookInput } from './schemas.ts';
import { Subscription } from './subscription.ts';

/** Webhooks a webinar may have, subscriptions and standalone rules apart. */
const subscriptionsMax = 100;

/** Makes a subscription, its endpoint and one rule for each event type. The secret is in the answer and never again. */
export async function createSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof CreateWebhookInput>,
): Promise<Webhook & { secret: string }> {
  const webinar = await findWebinar(tx, input.webinarId);
  await lockLimit(tx, `automations.subscription ${webinar.id}`);
  const count = await tx.em.count(Subscription, { accountId: tx.accountId, webinarId: webinar.id });
  if (count >= subscriptionsMax) throw automationErrors.webhook_limit_reached();
  const { url, active } = input;
  const { endpointId, secret } = await deliveries.createEndpoint(tx, { url, enabled: active });
  const subscription = tx.em.create(Subscription, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    endpointId,
    active,
    secretRotatedAt: tx.now,
    createdAt: tx.now,
  });
  addRules(tx, subscription, input.eventTypes);
  await tx.em.flush();
  noteRulesChanged(tx, webinar.id);
  const [webhook] = await describeSubscriptions(tx, deliveries, [subscription]);
  return { ...webhook!, secret };
}

/** Changes what is given. Switching a subscription off cancels what waits for it. */
export async function updateSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof UpdateWebhookInput>,
): Promise<Webhook> {
  const subscription = await holdSubscription(tx, input);
  const { endpointId } = subscription;
  const rules = await tx.em.find(Rule, { accountId: tx.accountId, subscriptionId: subscription.id });
  const { active } = input;
  const isSwitched = active !== undefined && active !== subscription.active;
  if (isSwitched) {
    subscription.active = active;
    for (const rule of rules) Object.assign(rule, { enabled: active, updatedAt: tx.now });
  }
  if (input.eventTypes) {
    const { eventTypes } = input;
    const present = new Set<string>(rules.map((rule) => rule.triggerType));
    const dropped = rules.filter((rule) => !(eventTypes as string[]).includes(rule.triggerType));
    for (const rule of dropped) tx.em.remove(rule);
    addRules(
      tx,
      subscription,
      eventTypes.filter((type) => !present.has(type)),
    );
  }
  await tx.em.flush();
  noteRulesChanged(tx, subscription.webinarId);
  if (input.url !== undefined) await deliveries.moveEndpoint(tx, endpointId, input.url);
  if (isSwitched) await deliveries.setEnabled(tx, endpointId, active);
  const [webhook] = await describeSubscriptions(tx, deliveries, [subscription]);
  return webhook!;
}

/** A new secret in place of the old one, which signs nothing any more. */
export async function rotateSubscriptionSecret(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof WebhookInput>,
) {
  const subscription = await holdSubscription(tx, input);
  subscription.secretRotatedAt = tx.now;
  await tx.em.flush();
  const rotated = await deliveries.rotateSecret(tx, subscription.endpointId);
  return { id: subscription.id, ...rotated, secretRotatedAt: tx.now.toISOString() };
}

/** Removes a subscription with all its rules; what still waits to be delivered is cancelled. */
export async function deleteSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof WebhookInput>,
): Promise<void> {
  const subscription = await holdSubscription(tx, input);
  await tx.em.nativeDelete(Rule, { accountId: tx.accountId, subscriptionId: subscription.id });
  await tx.em.nativeDelete(Subscription, { accountId: tx.accountId, id: subscription.id });
  noteRulesChanged(tx, subscription.webinarId);
  await deliveries.deleteEndpoint(tx, subscription.endpointId);
}

function addRules(
  { em, now }: AccountWriter,
  { accountId, id, webinarId, endpointId, active }: Subscription,
  eventTypes: readonly SubscribableEventType[],
): void {
  for (const triggerType of eventTypes) {
    em.create(Rule, {
      accountId,
      id: createId(),
      webinarId,
      subscriptionId: id,
      name: 'API subscription',
      enabled: active,
      triggerType,
      triggerParams: {},
      conditions: [],
      endpointId,
      createdAt: now,
      updatedAt: now,
    });
  }
}
