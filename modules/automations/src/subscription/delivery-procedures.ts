import { DeliveryDetailOutput, DeliveryOutput, type Deliveries } from '@service/deliveries';
import { dataOf, pageOf, scopedMutation, scopedQuery } from '@service/trpc';
import { redeliver } from '../delivery/redeliver.ts';
import { RedeliveryOutput } from '../delivery/schemas.ts';
import { automationErrors } from '../errors.ts';
import { ListWebhookDeliveriesInput, WebhookDeliveryInput } from './schemas.ts';
import { findSubscription, holdSubscription } from './subscriptions.ts';

const tag = 'Webhooks';
const path = '/webinars/{webinarId}/webhooks/{webhookId}/deliveries';

/** What was sent to a subscription. */
export const webhookDeliveryProcedures = (deliveries: Deliveries) => ({
  listDeliveries: scopedQuery({
    scope: 'automations:read',
    rest: `GET ${path}`,
    tool: 'list_webhook_deliveries',
    summary: 'List the deliveries of a subscription',
    description:
      'Newest first. With filters that few deliveries match, a page may hold fewer than `limit` and still have a next one.',
    tag,
  })
    .input(ListWebhookDeliveriesInput)
    .output(pageOf(DeliveryOutput))
    .query(async ({ ctx: { reader }, input: { webinarId, webhookId, ...query } }) => {
      const { endpointId } = await findSubscription(reader, { webinarId, webhookId });
      return deliveries.list(reader, { endpointId, ...query });
    }),

  getDelivery: scopedQuery({
    scope: 'automations:read',
    rest: `GET ${path}/{deliveryId}`,
    tool: 'get_webhook_delivery',
    summary: 'Get a delivery',
    description: 'With the exact body and every attempt.',
    tag,
  })
    .input(WebhookDeliveryInput)
    .output(dataOf(DeliveryDetailOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findSubscription(reader, input);
      const { deliveryId } = input;
      return { data: await deliveries.get(reader, { deliveryId, endpointIds: [endpointId] }) };
    }),

  redeliver: scopedMutation({
    scope: 'automations:write',
    rest: `POST ${path}/{deliveryId}/redeliver`,
    tool: 'redeliver_webhook_delivery',
    summary: 'Send a delivery again',
    description:
      'Any finished delivery, whatever became of it. A new delivery is queued whose body is the same but for a new ' +
      '`timestamp` and `is_refire: true`.',
    tag,
    status: 202,
  })
    .input(WebhookDeliveryInput)
    .output(dataOf(RedeliveryOutput))
    .mutation(async ({ ctx, input: { deliveryId, ...input } }) => {
      const redelivery = await ctx.transaction(async (tx) => {
        const { active, endpointId } = await holdSubscription(tx, input);
        if (!active) throw automationErrors.webhook_inactive();
        return redeliver(tx, deliveries, { endpointId, deliveryId });
      });
      const { webinarId, webhookId } = input;
      ctx.reply.location = `/webinars/${webinarId}/webhooks/${webhookId}/deliveries/${redelivery.id}`;
      return { data: redelivery };
    }),
});
