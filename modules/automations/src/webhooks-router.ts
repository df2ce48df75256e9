import { DeliveryOutput, DeliveryDetailOutput, type Deliveries } from '@service/deliveries';
import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { requireDestination, type CheckUrl } from './require-destination.ts';
import {
  CreatedWebhookOutput,
  CreateWebhookInput,
  DeliveryInput,
  ListDeliveriesInput,
  ListWebhooksInput,
  WebhookInput,
  WebhookOutput,
} from './schemas.ts';
import {
  createSubscription,
  deleteSubscription,
  describeSubscriptions,
  findSubscription,
  listSubscriptions,
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
        return { data: webhook! };
      }),

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

    listDeliveries: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{webhookId}/deliveries`,
      tool: 'list_webhook_deliveries',
      summary: 'List the deliveries of a subscription',
      description: 'Newest first.',
      tag,
    })
      .input(ListDeliveriesInput)
      .output(pageOf(DeliveryOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await findSubscription(reader, input);
        return deliveries.list(reader, {
          endpointIds: [endpointId],
          limit: input.limit,
          cursor: input.cursor,
        });
      }),

    getDelivery: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{webhookId}/deliveries/{deliveryId}`,
      tool: 'get_webhook_delivery',
      summary: 'Get a delivery',
      description: 'With the exact body and every attempt.',
      tag,
    })
      .input(DeliveryInput)
      .output(dataOf(DeliveryDetailOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await findSubscription(reader, input);
        return {
          data: await deliveries.get(reader, { deliveryId: input.deliveryId, endpointIds: [endpointId] }),
        };
      }),
  });
