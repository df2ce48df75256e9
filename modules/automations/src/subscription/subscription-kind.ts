import { z } from 'zod';
import type { Source, SourceKind } from '../delivery/source.ts';
import { automationErrors } from '../errors.ts';
import { subscribableEventTypes, type SubscribableEventType } from '../event/event-types.ts';
import { findSubscription, holdSubscription } from './find-subscriptions.ts';
import { WebhookInput } from './schemas.ts';
import type { Subscription } from './subscription.ts';

export const subscriptionToSource = (subscription: Subscription): Source => ({
  endpointId: subscription.endpointId,
  isOn: subscription.active,
  path: `/webinars/${subscription.webinarId}/webhooks/${subscription.id}`,
});

/** A subscription as something that sends. It may have listened to other types before. */
export const subscriptionKind: SourceKind<
  typeof WebhookInput.shape,
  z.ZodType<SubscribableEventType, SubscribableEventType>
> = {
  noun: 'webhook',
  title: 'subscription',
  tag: 'Webhooks',
  path: '/webinars/{webinarId}/webhooks/{webhookId}',
  key: WebhookInput,
  eventType: z.enum(subscribableEventTypes),
  find: async (reader, key) => subscriptionToSource(await findSubscription(reader, key)),
  hold: async (tx, key) => subscriptionToSource(await holdSubscription(tx, key)),
  offError: () => automationErrors.webhook_inactive(),
};
