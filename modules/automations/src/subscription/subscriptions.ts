import { LockMode } from '@mikro-orm/postgresql';
import { createId, lockLimit, type AccountReader, type AccountWriter } from '@service/database';
import type { Deliveries, EndpointSummary } from '@service/deliveries';
import { commonErrors } from '@service/errors';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { Rule, Subscription } from '../entities.ts';
import { automationErrors } from '../errors.ts';
import { notifyRulesChanged } from '../evaluation/rule-cache.ts';
import { normalizeEventTypes, type SubscribableEventType } from '../event-type/event-types.ts';
import type {
  CreateWebhookInput,
  ListWebhooksInput,
  UpdatedWebhookOutput,
  UpdateWebhookInput,
  WebhookInput,
  WebhookOutput,
} from './schemas.ts';

type Webhook = z.input<typeof WebhookOutput>;

/** Limit of subscriptions in a webinar. Standalone rules have their own. */
const subscriptionsMax = 100;

/** Creates a subscription, its endpoint and one rule for each event type. Returns the secret, this once. Throws delivery_backlog_full. */
export async function createSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof CreateWebhookInput>,
): Promise<Webhook & { secret: string }> {
  await deliveries.requireRoom(tx);
  const webinar = await findWebinar(tx, input.webinarId);
  await lockLimit(tx, `automations.subscription ${webinar.id}`);
  const count = await tx.em.count(Subscription, { accountId: tx.accountId, webinarId: webinar.id });
  if (count >= subscriptionsMax) throw automationErrors.webhook_limit_reached();
  const { url, description, active } = input;
  const { endpointId, secret } = await deliveries.createEndpoint(tx, { url, enabled: active });
  const subscription = tx.em.create(Subscription, {
    accountId: tx.accountId,
    id: createId(),
    webinarId: webinar.id,
    endpointId,
    description,
    active,
    secretRotatedAt: tx.now,
    createdAt: tx.now,
  });
  addRules(tx, subscription, input.eventTypes);
  await tx.em.flush();
  notifyRulesChanged(tx, webinar.id);
  const [webhook] = await describeSubscriptions(tx, deliveries, [subscription]);
  return { ...webhook!, secret };
}

/** Replaces the given fields. Switching a subscription off cancels and counts its waiting deliveries; halting it keeps them. */
export async function updateSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof UpdateWebhookInput>,
): Promise<z.input<typeof UpdatedWebhookOutput>> {
  const subscription = await lockSubscription(tx, input);
  const { endpointId } = subscription;
  const rules = await tx.em.find(Rule, { accountId: tx.accountId, subscriptionId: subscription.id });
  const { active, halted, description } = input;
  subscription.updatedAt = tx.now;
  if (description !== undefined) subscription.description = description;
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
  notifyRulesChanged(tx, subscription.webinarId);
  if (input.url !== undefined) await deliveries.moveEndpoint(tx, endpointId, input.url);
  const cancelledDeliveries = isSwitched ? await deliveries.setEnabled(tx, endpointId, active) : null;
  if (halted !== undefined) await deliveries.setHalted(tx, endpointId, halted);
  const [webhook] = await describeSubscriptions(tx, deliveries, [subscription]);
  return { ...webhook!, cancelledDeliveries };
}

/** Replaces the secret at once, also for retries. */
export async function rotateSubscriptionSecret(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof WebhookInput>,
) {
  const subscription = await lockSubscription(tx, input);
  subscription.secretRotatedAt = tx.now;
  await tx.em.flush();
  const rotated = await deliveries.rotateSecret(tx, subscription.endpointId);
  return { id: subscription.id, ...rotated, secretRotatedAt: tx.now.toISOString() };
}

/** Deletes a subscription with its rules. Its waiting deliveries are cancelled. */
export async function deleteSubscription(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof WebhookInput>,
): Promise<void> {
  const subscription = await lockSubscription(tx, input);
  await tx.em.nativeDelete(Rule, { accountId: tx.accountId, subscriptionId: subscription.id });
  await tx.em.nativeDelete(Subscription, { accountId: tx.accountId, id: subscription.id });
  notifyRulesChanged(tx, subscription.webinarId);
  await deliveries.deleteEndpoint(tx, subscription.endpointId);
}

/** Finds a subscription. Throws webinar_not_found, webhook_not_found. */
export const findSubscription = (
  reader: AccountReader,
  input: z.output<typeof WebhookInput>,
): Promise<Subscription> => find(reader, input);

/** Finds a subscription and locks its row. Every change of it or its rules takes this lock, so no rule is created twice. */
export const lockSubscription = (
  tx: AccountWriter,
  input: z.output<typeof WebhookInput>,
): Promise<Subscription> => find(tx, input, LockMode.PESSIMISTIC_WRITE);

/** Also throws webhook_inactive. */
export async function lockActiveSubscription(
  tx: AccountWriter,
  input: z.output<typeof WebhookInput>,
): Promise<Subscription> {
  const subscription = await lockSubscription(tx, input);
  requireActive(subscription);
  return subscription;
}

/** Throws webhook_inactive. */
export function requireActive({ active }: Subscription): void {
  if (!active) throw automationErrors.webhook_inactive();
}

/** Below /api/v1. */
export const subscriptionPath = ({ webinarId, id }: Pick<Subscription, 'webinarId' | 'id'>) =>
  `/webinars/${webinarId}/webhooks/${id}` as const;

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

/** Lists subscriptions, newest first. Standalone rules are not among them. */
export async function listSubscriptions(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, limit, cursor }: z.output<typeof ListWebhooksInput>,
) {
  const webinar = await findWebinar(reader, webinarId);
  const filters = { webinarId: webinar.id };
  const scope = { list: 'webhooks', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const subscriptions = await reader.em.find(
    Subscription,
    { accountId: reader.accountId, ...filters, ...(after && { id: { $lt: after } }) },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const page = toPage(subscriptions, { limit, scope, toItem: (subscription) => subscription });
  return { ...page, data: await describeSubscriptions(reader, deliveries, page.data) };
}

/**
 * Adds event types, URL and health to subscriptions. Leaves out a subscription that was deleted in the meantime. Never returns
 * the secret.
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
    const types = rules
      .filter((rule) => rule.subscriptionId === subscription.id)
      .map((rule) => rule.triggerType);
    return [subscriptionToOutput(subscription, endpoint, normalizeEventTypes(types))];
  });
}

/** Throws validation_failed if a subscription does not receive an event type. */
export async function requireEventType(
  { em, accountId }: AccountReader,
  { id }: Subscription,
  eventType: SubscribableEventType,
): Promise<void> {
  const rules = await em.find(Rule, { accountId, subscriptionId: id });
  if (rules.some(({ triggerType }) => triggerType === eventType)) return;
  const message = 'The subscription does not receive this event type.';
  throw commonErrors.validation_failed({ issues: [{ path: 'eventType', message }] });
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
      name: 'Subscription',
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

const subscriptionToOutput = (
  subscription: Subscription,
  { url, halted, health, secretLast4 }: EndpointSummary,
  eventTypes: SubscribableEventType[],
): Webhook => ({
  id: subscription.id,
  webinarId: subscription.webinarId,
  url,
  description: subscription.description ?? null,
  eventTypes,
  active: subscription.active,
  halted,
  health,
  secretLast4,
  secretRotatedAt: subscription.secretRotatedAt.toISOString(),
  createdAt: subscription.createdAt.toISOString(),
  updatedAt: (subscription.updatedAt ?? subscription.createdAt).toISOString(),
});
