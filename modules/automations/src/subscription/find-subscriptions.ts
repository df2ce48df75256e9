import { LockMode } from '@mikro-orm/postgresql';
import type { AccountReader, AccountWriter } from '@service/database';
import type { Deliveries, EndpointSummary } from '@service/deliveries';
import { commonErrors } from '@service/errors';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { automationErrors } from '../errors.ts';
import { normalizeEventTypes, type SubscribableEventType } from '../event/event-types.ts';
import { Rule } from '../rule/rule.ts';
import type { ListWebhooksInput, WebhookInput, WebhookOutput } from './schemas.ts';
import { Subscription } from './subscription.ts';

export type Webhook = z.input<typeof WebhookOutput>;

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
    const types = rules
      .filter((rule) => rule.subscriptionId === subscription.id)
      .map((rule) => rule.triggerType);
    return [subscriptionToOutput(subscription, endpoint, normalizeEventTypes(types))];
  });
}

/** Throws validation_failed when a subscription does not listen to an event type. */
export async function requireEventType(
  { em, accountId }: AccountReader,
  { id }: Subscription,
  eventType: SubscribableEventType,
): Promise<void> {
  const rules = await em.find(Rule, { accountId, subscriptionId: id });
  if (rules.some(({ triggerType }) => triggerType === eventType)) return;
  const message = 'The subscription does not listen to it.';
  throw commonErrors.validation_failed({ issues: [{ path: 'eventType', message }] });
}

const subscriptionToOutput = (
  subscription: Subscription,
  { url, health, secretLast4 }: EndpointSummary,
  eventTypes: SubscribableEventType[],
): Webhook => ({
  id: subscription.id,
  webinarId: subscription.webinarId,
  url,
  eventTypes,
  active: subscription.active,
  health,
  secretLast4,
  secretRotatedAt: subscription.secretRotatedAt.toISOString(),
  createdAt: subscription.createdAt.toISOString(),
});
