import { createId, type AccountReader, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { automationErrors } from './errors.ts';
import { normalizeEventTypes } from './event-types.ts';
import { Rule } from './rule.ts';
import type { CreateWebhookInput, ListWebhooksInput, WebhookInput, WebhookOutput } from './schemas.ts';
import { Subscription } from './subscription.ts';

/** Webhooks a webinar may have, subscriptions and dashboard rules apart. */
const subscriptionsMax = 100;

type Webhook = z.input<typeof WebhookOutput>;

/** Makes a subscription, its endpoint and one rule for each event type. The secret is in the answer and never again. */
export async function createSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof CreateWebhookInput>,
): Promise<Webhook & { secret: string }> {
  const webinar = await findWebinar(tx, input.webinarId);
  const count = await tx.em.count(Subscription, { accountId: tx.accountId, webinarId: webinar.id });
  if (count >= subscriptionsMax) throw automationErrors.webhook_limit_reached();
  const endpoint = await deliveries.createEndpoint(tx, { url: input.url });
  const subscription = tx.em.create(Subscription, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    endpointId: endpoint.endpointId,
    active: input.active,
    secretRotatedAt: tx.now,
    createdAt: tx.now,
  });
  for (const eventType of input.eventTypes) tx.em.create(Rule, ruleOf(tx, subscription, eventType));
  await tx.em.flush();
  const { secret, secretLast4 } = endpoint;
  return {
    ...subscriptionToOutput(subscription, { url: input.url, secretLast4, eventTypes: input.eventTypes }),
    secret,
  };
}

const ruleOf = (tx: AccountWriter, subscription: Subscription, eventType: string): Rule => ({
  accountId: tx.accountId,
  id: createId(),
  webinarId: subscription.webinarId,
  subscriptionId: subscription.id,
  name: 'API subscription',
  enabled: subscription.active,
  triggerType: eventType,
  endpointId: subscription.endpointId,
  createdAt: tx.now,
  updatedAt: tx.now,
});

/** The subscription of the account and webinar. Throws webinar_not_found, webhook_not_found. */
export async function findSubscription(
  reader: AccountReader,
  { webinarId, webhookId }: z.output<typeof WebhookInput>,
): Promise<Subscription> {
  const webinar = await findWebinar(reader, webinarId);
  const subscription = await reader.em.findOne(Subscription, {
    accountId: reader.accountId,
    id: webhookId,
    webinarId: webinar.id,
  });
  if (!subscription) throw automationErrors.webhook_not_found();
  return subscription;
}

/** Only subscriptions made over the API; a dashboard rule is never among them. */
export async function listSubscriptions(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, limit, cursor }: z.output<typeof ListWebhooksInput>,
) {
  const webinar = await findWebinar(reader, webinarId);
  const filters = { webinarId: webinar.id };
  const after = cursorId(cursor, filters);
  const subscriptions = await reader.em.find(
    Subscription,
    { accountId: reader.accountId, ...filters, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const webhooks = await describeSubscriptions(reader, deliveries, subscriptions);
  return toPage(webhooks, { limit, filters, toItem: (webhook) => webhook });
}

/** Adds to subscriptions what their rules and endpoints know. Never the secret. */
export async function describeSubscriptions(
  reader: AccountReader,
  deliveries: Deliveries,
  subscriptions: readonly Subscription[],
): Promise<Webhook[]> {
  const { accountId } = reader;
  const ids = subscriptions.map((subscription) => subscription.id);
  const rules = await reader.em.find(Rule, { accountId, subscriptionId: { $in: ids } });
  const endpoints = await deliveries.endpoints(
    reader,
    subscriptions.map((subscription) => subscription.endpointId),
  );
  return subscriptions.map((subscription) => {
    const { url, secretLast4 } = endpoints.get(subscription.endpointId)!;
    const types = rules
      .filter((rule) => rule.subscriptionId === subscription.id)
      .map((rule) => rule.triggerType);
    return subscriptionToOutput(subscription, { url, secretLast4, eventTypes: normalizeEventTypes(types) });
  });
}

/** Removes a subscription with all its rules; what still waits to be delivered is cancelled. */
export async function deleteSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof WebhookInput>,
): Promise<void> {
  const subscription = await findSubscription(tx, input);
  await tx.em.nativeDelete(Rule, { accountId: tx.accountId, subscriptionId: subscription.id });
  await tx.em.nativeDelete(Subscription, { accountId: tx.accountId, id: subscription.id });
  await deliveries.deleteEndpoint(tx, subscription.endpointId);
}

function subscriptionToOutput(
  subscription: Subscription,
  rest: Pick<Webhook, 'url' | 'secretLast4' | 'eventTypes'>,
): Webhook {
  return {
    id: subscription.id,
    webinarId: subscription.webinarId,
    url: rest.url,
    eventTypes: rest.eventTypes,
    active: subscription.active,
    secretLast4: rest.secretLast4,
    secretRotatedAt: subscription.secretRotatedAt.toISOString(),
    createdAt: subscription.createdAt.toISOString(),
  };
}
