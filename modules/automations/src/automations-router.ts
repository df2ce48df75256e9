import type { Deliveries } from '@service/deliveries';
import { dataOf, memberMutation, memberQuery, router } from '@service/trpc';
import { z } from 'zod';
import { deliveriesByRegistration, findWebinarDelivery } from './registration-deliveries.ts';
import { requireDestination, type CheckUrl, type DestinationPolicy } from './require-destination.ts';
import { createRule, deleteRule, describeRules, findRule, listRules } from './rules.ts';
import {
  CreateRuleInput,
  ListRulesInput,
  RegistrationDeliveriesInput,
  RegistrationDeliveriesOutput,
  RuleInput,
  RuleOutput,
  RuleWithSecretOutput,
  SetRuleEnabledInput,
  WebinarDeliveryInput,
  WebinarDeliveryOutput,
} from './schemas.ts';

interface AutomationsRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
  destinationPolicy: DestinationPolicy;
}

/** Webhook rules as the dashboard edits them, and what they sent. */
export const createAutomationsRouter = ({
  deliveries,
  checkUrl,
  destinationPolicy,
}: AutomationsRouterOptions) =>
  router({
    /** So that nobody mistakes an installation that reaches private addresses for a production one. */
    destinationPolicy: memberQuery()
      .output(dataOf(z.object({ allowHttp: z.boolean(), allowedCidrs: z.array(z.string()) })))
      .query(() => ({
        data: { allowHttp: destinationPolicy.allowHttp, allowedCidrs: [...destinationPolicy.allowedCidrs] },
      })),

    rules: router({
      list: memberQuery()
        .input(ListRulesInput)
        .output(z.object({ data: z.array(RuleOutput) }))
        .query(async ({ ctx: { reader }, input }) => ({
          data: await listRules(reader, deliveries, input.webinarId),
        })),

      create: memberMutation()
        .input(CreateRuleInput)
        .output(dataOf(RuleWithSecretOutput))
        .mutation(async ({ ctx, input }) => {
          await requireDestination(checkUrl, input.url);
          return { data: await ctx.transaction((tx) => createRule(tx, deliveries, input)) };
        }),

      /** With its secret: members may read it again whenever they open the rule. */
      get: memberQuery()
        .input(RuleInput)
        .output(dataOf(RuleWithSecretOutput))
        .query(async ({ ctx: { reader }, input }) => {
          const rule = await findRule(reader, input);
          const [description] = await describeRules(reader, deliveries, [rule]);
          return {
            data: { ...description!, secret: await deliveries.revealSecret(reader, rule.endpointId) },
          };
        }),

      setEnabled: memberMutation()
        .input(SetRuleEnabledInput)
        .output(dataOf(RuleOutput))
        .mutation(({ ctx, input }) =>
          ctx.transaction(async (tx) => {
            const rule = await findRule(tx, input);
            rule.enabled = input.enabled;
            rule.updatedAt = tx.now;
            await tx.em.flush();
            const [description] = await describeRules(tx, deliveries, [rule]);
            return { data: description! };
          }),
        ),

      delete: memberMutation()
        .input(RuleInput)
        .output(dataOf(z.object({ id: z.uuid() })))
        .mutation(({ ctx, input }) =>
          ctx.transaction(async (tx) => {
            await deleteRule(tx, deliveries, await findRule(tx, input));
            return { data: { id: input.ruleId } };
          }),
        ),
    }),

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
