import type { Deliveries } from '@service/deliveries';
import { dataOf, memberQuery, router } from '@service/trpc';
import { z } from 'zod';
import { deliveriesByRegistration, findWebinarDelivery } from './delivery/registration-deliveries.ts';
import {
  RegistrationDeliveriesInput,
  RegistrationDeliveriesOutput,
  WebinarDeliveryInput,
  WebinarDeliveryOutput,
} from './delivery/schemas.ts';
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
  });
