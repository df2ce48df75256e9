import type { Deliveries } from '@service/deliveries';
import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { deliveryProcedures } from '../delivery/delivery-procedures.ts';
import { recoveryProcedures } from '../delivery/recovery-procedures.ts';
import { QueuedDeliveryOutput } from '../delivery/schemas.ts';
import { sendTest } from '../delivery/send-test.ts';
import { automationErrors } from '../errors.ts';
import { requireDestination, type CheckUrl } from '../destination.ts';
import { RotatedSecretOutput } from '../secret-schemas.ts';
import {
  describeSubscriptions,
  findSubscription,
  holdSubscription,
  listSubscriptions,
  requireEventType,
} from './find-subscriptions.ts';
import {
  CreatedWebhookOutput,
  CreateWebhookInput,
  ListWebhooksInput,
  TestWebhookInput,
  UpdateWebhookInput,
  WebhookInput,
  WebhookOutput,
} from './schemas.ts';
import {
  createSubscription,
  deleteSubscription,
  rotateSubscriptionSecret,
  updateSubscription,
} from './subscriptions.ts';
import { subscriptionKind, subscriptionToSource } from './subscription-kind.ts';

const tag = 'Webhooks';
const path = '/webinars/{webinarId}/webhooks';

interface WebhooksRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
}

/** Webhook subscriptions over the API, and what was delivered to them. */
export const createWebhooksRouter = ({ deliveries, checkUrl }: WebhooksRouterOptions) =>
  router({
    list: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}`,
      tool: 'list_webhooks',
      summary: 'List webhook subscriptions',
      description: 'Only subscriptions made over the API, without their secrets.',
      tag,
    })
      .input(ListWebhooksInput)
      .output(pageOf(WebhookOutput))
      .query(({ ctx: { reader }, input }) => listSubscriptions(reader, deliveries, input)),

    create: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}`,
      tool: 'create_webhook',
      summary: 'Subscribe to events',
      description: 'The answer carries the secret that signs the deliveries; it is shown only this once.',
      tag,
      status: 201,
    })
      .input(CreateWebhookInput)
      .output(dataOf(CreatedWebhookOutput))
      .mutation(async ({ ctx, input }) => {
        await requireDestination(checkUrl, input.url);
        const webhook = await ctx.transaction((tx) => createSubscription(tx, deliveries, input));
        ctx.reply.location = `/webinars/${webhook.webinarId}/webhooks/${webhook.id}`;
        return { data: webhook };
      }),

    get: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{webhookId}`,
      tool: 'get_webhook',
      summary: 'Get a webhook subscription',
      tag,
    })
      .input(WebhookInput)
      .output(dataOf(WebhookOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const subscription = await findSubscription(reader, input);
        const [webhook] = await describeSubscriptions(reader, deliveries, [subscription]);
        if (!webhook) throw automationErrors.webhook_not_found();
        return { data: webhook };
      }),

    update: scopedMutation({
      scope: 'automations:write',
      rest: `PATCH ${path}/{webhookId}`,
      tool: 'update_webhook',
      summary: 'Change a webhook subscription',
      description: 'Any of url, eventTypes and active. A new URL is used for retries too.',
      tag,
    })
      .input(UpdateWebhookInput)
      .output(dataOf(WebhookOutput))
      .mutation(async ({ ctx, input }) => {
        if (input.url !== undefined) await requireDestination(checkUrl, input.url);
        return { data: await ctx.transaction((tx) => updateSubscription(tx, deliveries, input)) };
      }),

    rotateSecret: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{webhookId}/rotate-secret`,
      tool: 'rotate_webhook_secret',
      summary: 'Replace the secret of a subscription',
      description: 'The old secret signs nothing any more from this moment, retries included.',
      tag,
    })
      .input(WebhookInput)
      .output(dataOf(RotatedSecretOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => rotateSubscriptionSecret(tx, deliveries, input)),
      })),

    delete: scopedMutation({
      scope: 'automations:write',
      rest: `DELETE ${path}/{webhookId}`,
      tool: 'delete_webhook',
      summary: 'Delete a webhook subscription',
      description: 'What still waits to be delivered to it is cancelled.',
      tag,
      status: 204,
    })
      .input(WebhookInput)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteSubscription(tx, deliveries, input))),

    sendTest: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{webhookId}/test`,
      tool: 'test_webhook',
      summary: 'Send a test to a subscription',
      description: 'A sample of one of its event types, of this webinar, with `is_test: true`.',
      tag,
      status: 202,
    })
      .input(TestWebhookInput)
      .output(dataOf(QueuedDeliveryOutput))
      .mutation(async ({ ctx, input: { eventType, ...input } }) => {
        const { source, queued } = await ctx.transaction(async (tx) => {
          const subscription = await holdSubscription(tx, input);
          if (!subscription.active) throw automationErrors.webhook_inactive();
          await requireEventType(tx, subscription, eventType);
          const source = subscriptionToSource(subscription);
          const { webinarId } = subscription;
          return { source, queued: await sendTest(tx, deliveries, { source, webinarId, eventType }) };
        });
        ctx.reply.location = `${source.path}/deliveries/${queued.id}`;
        return { data: queued };
      }),

    ...deliveryProcedures(deliveries, subscriptionKind),
    ...recoveryProcedures(deliveries, subscriptionKind),
  });
