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
import { eventType } from '../event-types/event-types.ts';
import { findRule, lockEnabledRule, lockRule, rulePath } from './rules.ts';
import { RuleInput } from './schemas.ts';

const path = '/webinars/{webinarId}/automations/{ruleId}';
const read = { scope: 'automations:read', tag: 'Automations' } as const;
const write = { scope: 'automations:write', tag: 'Automations' } as const;
const texts = deliveryTexts('rule');

const OneDelivery = z.strictObject({ ...RuleInput.shape, deliveryId: id('delivery') });
const OneRecovery = z.strictObject({ ...RuleInput.shape, recoveryId: id('recovery') });
// The trigger may have changed, so a rule may have deliveries of every event type.
const Recover = z
  .strictObject({ ...RuleInput.shape, ...recoveryFields(eventType) })
  .meta({ id: 'RecoverAutomationInput' });

/** The deliveries of a rule, its endpoint and its recoveries. */
export const ruleDeliveryProcedures = (deliveries: Deliveries) => ({
  listDeliveries: scopedQuery({
    ...read,
    ...texts.listDeliveries,
    rest: `GET ${path}/deliveries`,
    tool: 'list_automation_deliveries',
  })
    .input(
      z.strictObject({
        ...RuleInput.shape,
        ...deliveryFilters,
        eventType: eventType.optional(),
      }),
    )
    .output(pageOf(DeliveryOutput))
    .query(async ({ ctx: { reader, principal }, input: { webinarId, ruleId, ...filters } }) => {
      const { endpointId } = await findRule(reader, { webinarId, ruleId });
      const page = await deliveries.list(reader, { endpointId, ...filters });
      return { ...page, data: hideSnippets(principal, page.data) };
    }),

  getDelivery: scopedQuery({
    ...read,
    ...texts.getDelivery,
    rest: `GET ${path}/deliveries/{deliveryId}`,
    tool: 'get_automation_delivery',
  })
    .input(OneDelivery)
    .output(dataOf(DeliveryDetailOutput))
    .query(async ({ ctx: { reader, principal }, input }) => {
      const { endpointId } = await findRule(reader, input);
      const { deliveryId } = input;
      const delivery = await deliveries.get(reader, { deliveryId, endpointIds: [endpointId] });
      return { data: hideBody(principal, delivery) };
    }),

  redeliver: scopedMutation({
    ...write,
    ...texts.redeliver,
    rest: `POST ${path}/deliveries/{deliveryId}/redeliver`,
    tool: 'redeliver_automation_delivery',
    status: 202,
  })
    .input(OneDelivery)
    .output(dataOf(RedeliveryOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const rule = await lockEnabledRule(tx, input);
        const { endpointId } = rule;
        const redelivery = await deliveries.redeliver(tx, { deliveryId: input.deliveryId, endpointId });
        ctx.reply.location = `${rulePath(rule)}/deliveries/${redelivery.id}`;
        return { data: { ...redelivery, status: 'queued' as const } };
      }),
    ),

  probe: scopedMutation({
    ...write,
    ...texts.probe,
    rest: `POST ${path}/probe`,
    tool: 'probe_automation',
    status: 202,
  })
    .input(RuleInput)
    .output(dataOf(EndpointHealthOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await lockRule(tx, input);
        return { data: await probeEndpoint(tx, deliveries, endpointId) };
      }),
    ),

  getWaiting: scopedQuery({
    ...read,
    ...texts.getWaiting,
    rest: `GET ${path}/waiting`,
    tool: 'get_waiting_automation_deliveries',
  })
    .input(RuleInput)
    .output(dataOf(WaitingOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findRule(reader, input);
      return { data: await deliveries.waiting(reader, endpointId) };
    }),

  sendWaiting: scopedMutation({
    ...write,
    ...texts.sendWaiting,
    rest: `POST ${path}/waiting/send`,
    tool: 'send_waiting_automation_deliveries',
    status: 202,
  })
    .input(RuleInput)
    .output(dataOf(WaitingOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const rule = await lockEnabledRule(tx, input);
        ctx.reply.location = `${rulePath(rule)}/waiting`;
        return { data: await deliveries.sendWaiting(tx, rule.endpointId) };
      }),
    ),

  stopSending: scopedMutation({
    ...write,
    ...texts.stopSending,
    rest: `POST ${path}/waiting/stop`,
    tool: 'stop_sending_automation_deliveries',
  })
    .input(RuleInput)
    .output(dataOf(WaitingOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await findRule(tx, input);
        return { data: await deliveries.stopSending(tx, endpointId) };
      }),
    ),

  previewRecovery: scopedMutation({
    ...read,
    ...texts.previewRecovery,
    rest: `POST ${path}/recoveries/preview`,
    tool: 'preview_automation_recovery',
  })
    .input(Recover)
    .output(dataOf(RecoveryPreviewOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await findRule(tx, input);
        const request = toRecoveryRequest(endpointId, input, tx.now);
        return { data: await deliveries.previewRecovery(tx, request) };
      }),
    ),

  createRecovery: scopedMutation({
    ...write,
    ...texts.createRecovery,
    rest: `POST ${path}/recoveries`,
    tool: 'create_automation_recovery',
    status: 202,
  })
    .input(Recover)
    .output(dataOf(RecoveryOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const rule = await lockEnabledRule(tx, input);
        const request = toRecoveryRequest(rule.endpointId, input, tx.now);
        const recovery = await deliveries.createRecovery(tx, request);
        ctx.reply.location = `${rulePath(rule)}/recoveries/${recovery.id}`;
        return { data: recovery };
      }),
    ),

  listRecoveries: scopedQuery({
    ...read,
    ...texts.listRecoveries,
    rest: `GET ${path}/recoveries`,
    tool: 'list_automation_recoveries',
  })
    .input(z.strictObject({ ...RuleInput.shape, ...pageInput }))
    .output(pageOf(RecoveryOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findRule(reader, input);
      const { limit, cursor } = input;
      return deliveries.listRecoveries(reader, { endpointId, limit, cursor });
    }),

  getRecovery: scopedQuery({
    ...read,
    ...texts.getRecovery,
    rest: `GET ${path}/recoveries/{recoveryId}`,
    tool: 'get_automation_recovery',
  })
    .input(OneRecovery)
    .output(dataOf(RecoveryOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findRule(reader, input);
      const { recoveryId } = input;
      return { data: await deliveries.getRecovery(reader, { endpointId, recoveryId }) };
    }),

  cancelRecovery: scopedMutation({
    ...write,
    ...texts.cancelRecovery,
    rest: `POST ${path}/recoveries/{recoveryId}/cancel`,
    tool: 'cancel_automation_recovery',
  })
    .input(OneRecovery)
    .output(dataOf(RecoveryOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const { endpointId } = await findRule(tx, input);
        const { recoveryId } = input;
        return { data: await deliveries.cancelRecovery(tx, { endpointId, recoveryId }) };
      }),
    ),
});
