import type { Deliveries } from '@service/deliveries';
import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { automationErrors } from '../errors.ts';
import { requireDestination, type CheckUrl } from '../destination.ts';
import { RotatedSecretOutput } from '../secret-schemas.ts';
import { webhookDeliveryProcedures } from './delivery-procedures.ts';
import {
  CreatedWebhookOutput,
  CreateWebhookInput,
  ListWebhooksInput,
  UpdateWebhookInput,
  WebhookInput,
  WebhookOutput,
} from './schemas.ts';
import {
  createSubscription,
  deleteSubscription,
  describeSubscriptions,
  findSubscription,
  listSubscriptions,
  rotateSubscriptionSecret,
  updateSubscription,
} from './subscriptions.ts';

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

    ...webhookDeliveryProcedures(deliveries),
  });
