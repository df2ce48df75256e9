import { DeliveryDetailOutput, DeliveryOutput, type Deliveries } from '@service/deliveries';
import { dataOf, pageOf, scopedMutation, scopedQuery } from '@service/trpc';
import { redeliver } from '../delivery/redeliver.ts';
import { RedeliveryOutput } from '../delivery/schemas.ts';
import { automationErrors } from '../errors.ts';
import { findRule, holdRule } from './rules.ts';
import { ListRuleDeliveriesInput, RuleDeliveryInput } from './schemas.ts';

const tag = 'Automations';
const path = '/webinars/{webinarId}/automations/{ruleId}/deliveries';

/** What a rule sent. */
export const ruleDeliveryProcedures = (deliveries: Deliveries) => ({
  listDeliveries: scopedQuery({
    scope: 'automations:read',
    rest: `GET ${path}`,
    tool: 'list_automation_deliveries',
    summary: 'List the deliveries of a rule',
    description:
      'Newest first. With filters that few deliveries match, a page may hold fewer than `limit` and still have a next one.',
    tag,
  })
    .input(ListRuleDeliveriesInput)
    .output(pageOf(DeliveryOutput))
    .query(async ({ ctx: { reader }, input: { webinarId, ruleId, ...query } }) => {
      const { endpointId } = await findRule(reader, { webinarId, ruleId });
      return deliveries.list(reader, { endpointId, ...query });
    }),

  getDelivery: scopedQuery({
    scope: 'automations:read',
    rest: `GET ${path}/{deliveryId}`,
    tool: 'get_automation_delivery',
    summary: 'Get a delivery of a rule',
    description: 'With the exact body and every attempt.',
    tag,
  })
    .input(RuleDeliveryInput)
    .output(dataOf(DeliveryDetailOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const { endpointId } = await findRule(reader, input);
      const { deliveryId } = input;
      return { data: await deliveries.get(reader, { deliveryId, endpointIds: [endpointId] }) };
    }),

  redeliver: scopedMutation({
    scope: 'automations:write',
    rest: `POST ${path}/{deliveryId}/redeliver`,
    tool: 'redeliver_automation_delivery',
    summary: 'Send a delivery of a rule again',
    description:
      'Any finished delivery, whatever became of it. A new delivery is queued whose body is the same but for a new ' +
      '`timestamp` and `is_refire: true`.',
    tag,
    status: 202,
  })
    .input(RuleDeliveryInput)
    .output(dataOf(RedeliveryOutput))
    .mutation(async ({ ctx, input: { deliveryId, ...input } }) => {
      const redelivery = await ctx.transaction(async (tx) => {
        const { enabled, endpointId } = await holdRule(tx, input);
        if (!enabled) throw automationErrors.rule_disabled();
        return redeliver(tx, deliveries, { endpointId, deliveryId });
      });
      const { webinarId, ruleId } = input;
      ctx.reply.location = `/webinars/${webinarId}/automations/${ruleId}/deliveries/${redelivery.id}`;
      return { data: redelivery };
    }),
});
