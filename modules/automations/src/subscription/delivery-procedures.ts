import {
  DeliveryDetailOutput,
  DeliveryOutput,
  EndpointHealthOutput,
  RecoveryOutput,
  RecoveryPreviewOutput,
  WaitingOutput,
  type Deliveries,
} from '@service/deliveries';
import { dataOf, id, pageInput, pageOf, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import {
  deliveryFilters,
  deliveryTexts,
  recoveryFields,
  RedeliveryOutput,
  toRecoveryRequest,
} from '../delivery/schemas.ts';
import { hideBody, hideSnippets } from '../delivery/hide-body.ts';
import { probeEndpoint } from '../delivery/send.ts';
import { subscribableEventType } from '../event-types/event-types.ts';
import { WebhookInput } from './schemas.ts';
import {
  findSubscription,
  lockActiveSubscription,
  lockSubscription,
  subscriptionPath,
} from './subscriptions.ts';

const path = '/webinars/{webinarId}/webhooks/{webhookId}';
const read = { scope: 'automations:read', tag: 'Webhooks' } as const;
const write = { scope: 'automations:write', tag: 'Webhooks' } as const;
const texts = deliveryTexts('subscription');

const OneDelivery = z.strictObject({ ...WebhookInput.shape, deliveryId: id('delivery') });
const OneRecovery = z.strictObject({ ...WebhookInput.shape, recoveryId: id('recovery') });
// Its event types may have changed, so a subscription may have deliveries of any of them.
const Recover = z
  .strictObject({ ...WebhookInput.shape, ...recoveryFields(subscribableEventType) })
  .meta({ id: 'RecoverWebhookInput' });

/** The deliveries of a subscription, its endpoint and its recoveries. */
export const subscriptionDeliveryProcedures = (deliveries: Deliveries) => ({
  listDeliveries: scopedQuery({
    ...read,
    ...texts.listDeliveries,
    rest: `GET ${path}/deliveries`,
    tool: 'list_webhook_deliveries',
  })
    .input(
      z.strictObject({
        ...WebhookInput.shape,
        ...deliveryFilters,
        eventType: subscribableEventType.optional(),
      }),
    )
    .output(pageOf(DeliveryOutput))
    .query(async ({ ctx: { reader, principal }, input: { webinarId, webhookId, ...filters } }) => {
      const { endpointId } = await findSubscription(reader, { webinarId, webhookId });
      const page = await deliveries.list(reader, { endpointId, ...filters });
      return { ...page, data: hideSnippets(principal, page.data) };
    }),

  getDelivery: scopedQuery({
    ...read,
    ...texts.getDelivery,
    rest: `GET ${path}/deliveries/{deliveryId}`,
    tool: 'get_webhook_delivery',
  })
    .input(OneDelivery)
    .output(dataOf(DeliveryDetailOutput))
    .query(async ({ ctx: { reader, principal }, input }) => {
      const { endpointId } = await findSubscription(reader, input);
      const { deliveryId } = input;
      const delivery = await deliveries.get(reader, { deliveryId, endpointIds: [endpointId] });
      return { data: hideBody(principal, delivery) };
    }),

  redeliver: scopedMutation({
    ...write,
    ...texts.redeliver,
    rest: `POST ${path}/deliveries/{deliveryId}/redeliver`,
    tool: 'redeliver_webhook_delivery',
    status: 202,
  })
    .input(OneDelivery)
    .output(dataOf(RedeliveryOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const subscription = await lockActiveSubscription(tx, input);
        const { endpointId } = subscription;
        const redelivery = await deliveries.redeliver(tx, { deliveryId: input.deliveryId, endpointId });
        ctx.reply.location = `${subscriptionPath(subscription)}/deliveries/${redelivery.id}`;
        return { data: { ...redelivery, status: 'queued' as const } };
      }),
    ),

  probe: scopedMutation({
    ...write,
    ...texts.probe,
    rest: `POST ${path}/probe`,
    tool: 'probe_webhook',
    status: 202,
  })
    .input(WebhookInput)
    .output(dataOf(EndpointHealthOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await lockSubscription(tx, input);
        return { data: await probeEndpoint(tx, deliveries, endpointId) };
      }),
    ),

  getWaiting: scopedQuery({
    ...read,
    ...texts.getWaiting,
    rest: `GET ${path}/waiting`,
    tool: 'get_waiting_webhook_deliveries',
  })
    .input(WebhookInput)
    .output(dataOf(WaitingOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findSubscription(reader, input);
      return { data: await deliveries.waiting(reader, endpointId) };
    }),

  sendWaiting: scopedMutation({
    ...write,
    ...texts.sendWaiting,
    rest: `POST ${path}/waiting/send`,
    tool: 'send_waiting_webhook_deliveries',
    status: 202,
  })
    .input(WebhookInput)
    .output(dataOf(WaitingOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const subscription = await lockActiveSubscription(tx, input);
        ctx.reply.location = `${subscriptionPath(subscription)}/waiting`;
        return { data: await deliveries.sendWaiting(tx, subscription.endpointId) };
      }),
    ),

  stopSending: scopedMutation({
    ...write,
    ...texts.stopSending,
    rest: `POST ${path}/waiting/stop`,
    tool: 'stop_sending_webhook_deliveries',
  })
    .input(WebhookInput)
    .output(dataOf(WaitingOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await findSubscription(tx, input);
        return { data: await deliveries.stopSending(tx, endpointId) };
      }),
    ),

  previewRecovery: scopedMutation({
    ...read,
    ...texts.previewRecovery,
    rest: `POST ${path}/recoveries/preview`,
    tool: 'preview_webhook_recovery',
  })
    .input(Recover)
    .output(dataOf(RecoveryPreviewOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await findSubscription(tx, input);
        const request = toRecoveryRequest(endpointId, input, tx.now);
        return { data: await deliveries.previewRecovery(tx, request) };
      }),
    ),

  createRecovery: scopedMutation({
    ...write,
    ...texts.createRecovery,
    rest: `POST ${path}/recoveries`,
    tool: 'create_webhook_recovery',
    status: 202,
  })
    .input(Recover)
    .output(dataOf(RecoveryOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const subscription = await lockActiveSubscription(tx, input);
        const request = toRecoveryRequest(subscription.endpointId, input, tx.now);
        const recovery = await deliveries.createRecovery(tx, request);
        ctx.reply.location = `${subscriptionPath(subscription)}/recoveries/${recovery.id}`;
        return { data: recovery };
      }),
    ),

  listRecoveries: scopedQuery({
    ...read,
    ...texts.listRecoveries,
    rest: `GET ${path}/recoveries`,
    tool: 'list_webhook_recoveries',
  })
    .input(z.strictObject({ ...WebhookInput.shape, ...pageInput }))
    .output(pageOf(RecoveryOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findSubscription(reader, input);
      const { limit, cursor } = input;
      return deliveries.listRecoveries(reader, { endpointId, limit, cursor });
    }),

  getRecovery: scopedQuery({
    ...read,
    ...texts.getRecovery,
    rest: `GET ${path}/recoveries/{recoveryId}`,
    tool: 'get_webhook_recovery',
  })
    .input(OneRecovery)
    .output(dataOf(RecoveryOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findSubscription(reader, input);
      const { recoveryId } = input;
      return { data: await deliveries.getRecovery(reader, { endpointId, recoveryId }) };
    }),

  cancelRecovery: scopedMutation({
    ...write,
    ...texts.cancelRecovery,
    rest: `POST ${path}/recoveries/{recoveryId}/cancel`,
    tool: 'cancel_webhook_recovery',
  })
    .input(OneRecovery)
    .output(dataOf(RecoveryOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await findSubscription(tx, input);
        const { recoveryId } = input;
        return { data: await deliveries.cancelRecovery(tx, { endpointId, recoveryId }) };
      }),
    ),
});
