import type { Deliveries } from '@service/deliveries';
import { dataOf, memberMutation, memberQuery, router } from '@service/trpc';
import { z } from 'zod';
import { deliveriesByRegistration } from './delivery/registration-deliveries.ts';
import {
  RedeliveryOutput,
  RegistrationDeliveriesInput,
  RegistrationDeliveriesOutput,
  WebinarDeliveryInput,
  WebinarDeliveryOutput,
} from './delivery/schemas.ts';
import { findWebinarDelivery, refire } from './delivery/webinar-delivery.ts';
import type { CheckUrl, DestinationPolicy } from './destination.ts';
import { listEventTypes } from './event/router.ts';
import { executionProcedures } from './execution/execution-procedures.ts';
import { createRulesRouter } from './rule/router.ts';

interface AutomationsRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
  destinationPolicy: DestinationPolicy;
}

/** Automation rules, what they made of events, and what the dashboard shows beside them. */
export const createAutomationsRouter = ({
  deliveries,
  checkUrl,
  destinationPolicy,
}: AutomationsRouterOptions) =>
  router({
    eventTypes: listEventTypes,
    rules: createRulesRouter({ deliveries, checkUrl }),
    ...executionProcedures,

    /** So that nobody mistakes an installation that reaches private addresses for a production one. */
    destinationPolicy: memberQuery()
      .output(dataOf(z.object({ allowHttp: z.boolean(), allowedCidrs: z.array(z.string()) })))
      .query(() => ({
        data: { allowHttp: destinationPolicy.allowHttp, allowedCidrs: [...destinationPolicy.allowedCidrs] },
      })),

    registrationDeliveries: memberQuery()
      .input(RegistrationDeliveriesInput)
      .output(z.object({ data: z.array(RegistrationDeliveriesOutput) }))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await deliveriesByRegistration(reader, deliveries, input),
      })),

    delivery: memberQuery()
      .input(WebinarDeliveryInput)
      .output(dataOf(WebinarDeliveryOutput))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await findWebinarDelivery(reader, deliveries, input),
      })),

    /** Only what failed: keys may have anything finished sent again, by the rule or subscription it came from. */
    refire: memberMutation()
      .input(WebinarDeliveryInput)
      .output(dataOf(RedeliveryOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => refire(tx, deliveries, input)),
      })),
  });
