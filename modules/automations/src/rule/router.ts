import type { Deliveries } from '@service/deliveries';
import { dataOf, memberQuery, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { deliveryProcedures } from '../delivery/delivery-procedures.ts';
import { recoveryProcedures } from '../delivery/recovery-procedures.ts';
import { QueuedDeliveryOutput } from '../delivery/schemas.ts';
import { sendTest } from '../delivery/send-test.ts';
import { automationErrors } from '../errors.ts';
import { requireDestination, type CheckUrl } from '../destination.ts';
import { RotatedSecretOutput } from '../secret-schemas.ts';
import {
  createRule,
  deleteRule,
  describeRules,
  findRule,
  holdRule,
  listRules,
  rotateRuleSecret,
  updateRule,
} from './rules.ts';
import { ruleKind, ruleToSource } from './rule-kind.ts';
import {
  CreatedRuleOutput,
  CreateRuleInput,
  ListRulesInput,
  RuleInput,
  RuleOutput,
  UpdateRuleInput,
} from './schemas.ts';

const tag = 'Automations';
const path = '/webinars/{webinarId}/automations';

interface RulesRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
}

/** Standalone automation rules, and what they sent. */
export const createRulesRouter = ({ deliveries, checkUrl }: RulesRouterOptions) =>
  router({
    list: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}`,
      tool: 'list_automations',
      summary: 'List automation rules',
      description: 'Only rules that stand alone, never those behind a webhook subscription.',
      tag,
    })
      .input(ListRulesInput)
      .output(pageOf(RuleOutput))
      .query(({ ctx: { reader }, input }) => listRules(reader, deliveries, input)),

    create: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}`,
      tool: 'create_automation',
      summary: 'Create an automation rule',
      description:
        'When the trigger comes and all conditions hold, the webhook is sent. The answer carries the secret that signs ' +
        'it; it is shown only this once.',
      tag,
      status: 201,
    })
      .input(CreateRuleInput)
      .output(dataOf(CreatedRuleOutput))
      .mutation(async ({ ctx, input }) => {
        await requireDestination(checkUrl, input.action.url, 'action.url');
        const rule = await ctx.transaction((tx) => createRule(tx, deliveries, input));
        ctx.reply.location = `/webinars/${rule.webinarId}/automations/${rule.id}`;
        return { data: rule };
      }),

    get: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}/{ruleId}`,
      tool: 'get_automation',
      summary: 'Get an automation rule',
      tag,
    })
      .input(RuleInput)
      .output(dataOf(RuleOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const [rule] = await describeRules(reader, deliveries, [await findRule(reader, input)]);
        if (!rule) throw automationErrors.rule_not_found();
        return { data: rule };
      }),

    /** Members may read the secret again whenever they open the rule; keys may not. */
    reveal: memberQuery()
      .input(RuleInput)
      .output(dataOf(z.object({ secret: z.string() })))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = await findRule(reader, input);
        return { data: { secret: await deliveries.revealSecret(reader, endpointId) } };
      }),

    update: scopedMutation({
      scope: 'automations:write',
      rest: `PATCH ${path}/{ruleId}`,
      tool: 'update_automation',
      summary: 'Change an automation rule',
      description: 'Any of its parts; what is given takes the place of what was there.',
      tag,
    })
      .input(UpdateRuleInput)
      .output(dataOf(RuleOutput))
      .mutation(async ({ ctx, input }) => {
        if (input.action) await requireDestination(checkUrl, input.action.url, 'action.url');
        return { data: await ctx.transaction((tx) => updateRule(tx, deliveries, input)) };
      }),

    rotateSecret: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{ruleId}/rotate-secret`,
      tool: 'rotate_automation_secret',
      summary: 'Replace the secret of a rule',
      description: 'The old secret signs nothing any more from this moment, retries included.',
      tag,
    })
      .input(RuleInput)
      .output(dataOf(RotatedSecretOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => rotateRuleSecret(tx, deliveries, input)),
      })),

    delete: scopedMutation({
      scope: 'automations:write',
      rest: `DELETE ${path}/{ruleId}`,
      tool: 'delete_automation',
      summary: 'Delete an automation rule',
      description: 'What still waits to be delivered is cancelled.',
      tag,
      status: 204,
    })
      .input(RuleInput)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteRule(tx, deliveries, input))),

    sendTest: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{ruleId}/test`,
      tool: 'test_automation',
      summary: 'Send a test with a rule',
      description:
        'A sample of what the rule waits for, of this webinar, with `is_test: true`. Conditions are not asked.',
      tag,
      status: 202,
    })
      .input(RuleInput)
      .output(dataOf(QueuedDeliveryOutput))
      .mutation(async ({ ctx, input }) => {
        const { source, queued } = await ctx.transaction(async (tx) => {
          const rule = await holdRule(tx, input);
          if (!rule.enabled) throw automationErrors.rule_disabled();
          const source = ruleToSource(rule);
          const { webinarId, triggerType: eventType } = rule;
          return { source, queued: await sendTest(tx, deliveries, { source, webinarId, eventType }) };
        });
        ctx.reply.location = `${source.path}/deliveries/${queued.id}`;
        return { data: queued };
      }),

    ...deliveryProcedures(deliveries, ruleKind),
    ...recoveryProcedures(deliveries, ruleKind),
  });
