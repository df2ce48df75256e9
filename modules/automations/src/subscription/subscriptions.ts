import { LockMode } from '@mikro-orm/postgresql';
import { createId, type AccountReader, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { automationErrors } from '../errors.ts';
import { normalizeEventTypes, type SubscribableEventType } from '../event/event-types.ts';
import { Rule } from '../rule/rule.ts';
import type {
  CreateWebhookInput,
  ListWebhooksInput,
  UpdateWebhookInput,
  WebhookInput,
  WebhookOutput,
} from './schemas.ts';
import { Subscription } from './subscription.ts';

/** Webhooks a webinar may have, subscriptions and standalone rules apart. */
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
  addRules(tx, subscription, input.eventTypes);
  await tx.em.flush();
  const { secret, secretLast4 } = endpoint;
  return {
    ...subscriptionToOutput(subscription, { url: input.url, secretLast4, eventTypes: input.eventTypes }),
    secret,
  };
}

/** The subscription of the account and webinar. Throws webinar_not_found, webhook_not_found. */
export const findSubscription = (
  reader: AccountReader,
  input: z.output<typeof WebhookInput>,
): Promise<Subscription> => find(reader, input);

/** The same, held until the transaction ends: who changes a subscription or its rules does so one after the other. */
export const holdSubscription = (
  tx: AccountWriter,
  input: z.output<typeof WebhookInput>,
): Promise<Subscription> => find(tx, input, LockMode.PESSIMISTIC_WRITE);

async function find(
  reader: AccountReader,
  { webinarId, webhookId }: z.output<typeof WebhookInput>,
  lockMode?: LockMode,
): Promise<Subscription> {
  const webinar = await findWebinar(reader, webinarId);
  const subscription = await reader.em.findOne(
    Subscription,
    { accountId: reader.accountId, id: webhookId, webinarId: webinar.id },
    { lockMode },
  );
  if (!subscription) throw automationErrors.webhook_not_found();
  return subscription;
}

/** Only subscriptions made over the API; a standalone rule is never among them. */
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
  const page = toPage(subscriptions, { limit, filters, toItem: (subscription) => subscription });
  return { ...page, data: await describeSubscriptions(reader, deliveries, page.data) };
}

/**
 * Adds to subscriptions what their rules and endpoints know. Never the secret. One that has been deleted in the meantime
 * is left out.
 */
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
  return subscriptions.flatMap((subscription) => {
    const endpoint = endpoints.get(subscription.endpointId);
    if (!endpoint) return [];
    const { url, secretLast4 } = endpoint;
    const types = rules
      .filter((rule) => rule.subscriptionId === subscription.id)
      .map((rule) => rule.triggerType);
    return [subscriptionToOutput(subscription, { url, secretLast4, eventTypes: normalizeEventTypes(types) })];
  });
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
  if (input.active !== undefined && input.active !== subscription.active) {
    subscription.active = input.active;
    for (const rule of rules) Object.assign(rule, { enabled: input.active, updatedAt: tx.now });
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
  if (input.url !== undefined) await deliveries.moveEndpoint(tx, endpointId, input.url);
  if (input.active === false) await deliveries.cancelWaiting(tx, endpointId);
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
