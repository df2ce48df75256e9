import { DeliveryUsageOutput, type Deliveries } from '@service/deliveries';
import { dataOf, memberMutation, memberQuery, pageOf, router, scopedQuery, urlText } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import { z } from 'zod';
import type { CheckUrl, DestinationPolicy } from './endpoint/require-destination.ts';
import { RedeliveryOutput } from './endpoint/schemas.ts';
import {
  FindByIdInput,
  FindDeliveryInput,
  FoundSource,
  RegistrationDeliveriesInput,
  RegistrationDeliveriesOutput,
  WebinarDeliveryInput,
  WebinarDeliveryOutput,
} from './endpoint/list-schemas.ts';
import { listEventTypes } from './event-type/event-catalogue.ts';
import { listTriggerForms, listTriggerTexts } from './event-type/rule-form.ts';
import { hideFacts, listExecutions } from './execution/executions.ts';
import { ExecutionOutput, ListExecutionsInput, ListRuleExecutionsInput } from './execution/schemas.ts';
import { findById } from './endpoint/endpoint-owners.ts';
import { createRulesRouter } from './rule/router.ts';
import { findRule } from './rule/rules.ts';
import { findWebinarDelivery, listRegistrationDeliveries, refire } from './webinar-deliveries.ts';

interface AutomationsRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
  destinationPolicy: DestinationPolicy;
}

const tag = 'Automations';

const executionsDescription =
  'Newest first. An execution records that an enabled rule was evaluated for an event: whether it fired, and the expected ' +
  'and actual value of each condition. Without the scope `registrations:read` the actual values are null, and without `revenue:read` ' +
  'conditions on `purchased` are left out.';

/** Automation rules, their executions, and the deliveries of a webinar for the dashboard. */
export const createAutomationsRouter = ({
  deliveries,
  checkUrl,
  destinationPolicy,
}: AutomationsRouterOptions) =>
  router({
    eventTypes: listEventTypes,
    triggerForms: listTriggerForms,
    triggerTexts: listTriggerTexts,
    rules: createRulesRouter({ deliveries, checkUrl }),

    executions: scopedQuery({
      mayBeLate: true,
      scope: 'automations:read',
      rest: 'GET /webinars/{webinarId}/executions',
      tool: 'list_executions',
      summary: 'List the executions of a webinar',
      description: executionsDescription,
      tag,
    })
      .input(ListExecutionsInput)
      .output(pageOf(ExecutionOutput))
      .query(async ({ ctx: { reader, principal }, input }) => {
        const webinar = await findWebinar(reader, input.webinarId);
        return hideFacts(
          principal,
          await listExecutions(reader, deliveries, { ...input, webinarId: webinar.id }),
        );
      }),

    ruleExecutions: scopedQuery({
      mayBeLate: true,
      scope: 'automations:read',
      rest: 'GET /webinars/{webinarId}/automations/{ruleId}/executions',
      tool: 'list_automation_executions',
      summary: 'List the executions of a rule',
      description: executionsDescription,
      tag,
    })
      .input(ListRuleExecutionsInput)
      .output(pageOf(ExecutionOutput))
      .query(async ({ ctx: { reader, principal }, input }) => {
        const rule = await findRule(reader, input);
        return hideFacts(principal, await listExecutions(reader, deliveries, { ...input, ruleId: rule.id }));
      }),

    /** The dashboard shows it under Settings > Installation. */
    destinationPolicy: memberQuery()
      .output(
        dataOf(
          z.object({
            allowHttp: z.boolean(),
            allowedCidrs: z.array(z.string()),
            retryScheduleSeconds: z.array(z.number()),
          }),
        ),
      )
      .query(() => ({
        data: {
          allowHttp: destinationPolicy.allowHttp,
          allowedCidrs: [...destinationPolicy.allowedCidrs],
          retryScheduleSeconds: [...destinationPolicy.retryScheduleSeconds],
        },
      })),

    /** The deliveries of the workspace and their limits. The dashboard shows it under Settings > Installation, and on Webhooks. */
    deliveryUsage: memberQuery()
      .output(dataOf(DeliveryUsageOutput))
      .query(async ({ ctx: { reader } }) => ({ data: await deliveries.usage(reader) })),

    /** For the search of the dashboard. */
    find: memberQuery()
      .input(FindByIdInput)
      .output(dataOf(FoundSource.nullable()))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await findById(reader, deliveries, input.id),
      })),

    /** Judges a URL as saving does, so that a form can show the reason while a person types. */
    checkUrl: memberQuery()
      .input(z.strictObject({ url: urlText() }))
      .output(dataOf(z.object({ ok: z.boolean(), message: z.string().nullable() })))
      .query(async ({ input }) => {
        const checked = await checkUrl(input.url);
        return { data: { ok: checked.ok, message: checked.ok ? null : checked.message } };
      }),

    registrationDeliveries: memberQuery()
      .input(RegistrationDeliveriesInput)
      .output(z.object({ data: z.array(RegistrationDeliveriesOutput) }))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await listRegistrationDeliveries(reader, deliveries, input),
      })),

    delivery: memberQuery()
      .input(FindDeliveryInput)
      .output(dataOf(WebinarDeliveryOutput))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await findWebinarDelivery(reader, deliveries, input),
      })),

    /** Failed and retrying deliveries. Keys can redeliver every delivery that is not in flight. */
    refire: memberMutation()
      .input(WebinarDeliveryInput)
      .output(dataOf(RedeliveryOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => refire(tx, deliveries, input)),
      })),
  });
