import type { AccountQueries, AccountReader, AccountWriter, Query } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import {
  dataOf,
  ErrorIssue,
  memberMutation,
  memberQuery,
  pageOf,
  requireScopes,
  router,
  scopedMutation,
  scopedQuery,
  toolQuery,
} from '@service/trpc';
import { z } from 'zod';
import { requireDestination, type CheckUrl } from '../endpoint/require-destination.ts';
import { endpointProcedures, sendTest } from '../endpoint/endpoint-procedures.ts';
import { QueuedDeliveryOutput, recoveryFields, RotatedSecretOutput } from '../endpoint/schemas.ts';
import type { Rule } from '../entities.ts';
import { automationErrors } from '../errors.ts';
import { scopesOfDraft, scopesOfRule } from '../event-type/carries-revenue.ts';
import { eventType } from '../event-type/event-types.ts';
import { actionsOf, problemsOfRecords, problemsOfRule } from './problems-of-rule.ts';
import {
  createRule,
  deleteRule,
  describeRules,
  destinationOf,
  findRule,
  listRules,
  lockRule,
  requireEnabled,
  requireWebhook,
  rotateRuleSecret,
  rulePath,
  updateRule,
} from './rules.ts';
import {
  CheckRuleInput,
  CreatedRuleOutput,
  CreateRuleInput,
  ExplainInput,
  ExplanationOutput,
  ListRulesInput,
  RuleInput,
  RuleOutput,
  UpdatedRuleOutput,
  UpdateRuleInput,
} from './schemas.ts';
import { explain } from './explain-rule.ts';

const tag = 'Automations';
const path = '/webinars/{webinarId}/automations';

type WebhookRule = ReturnType<typeof requireWebhook>;

const ruleOwner = {
  kind: 'rule',
  noun: 'automation',
  tag,
  path: `${path}/{ruleId}`,
  input: RuleInput,
  eventType,
  recover: z
    .strictObject({ ...RuleInput.shape, ...recoveryFields(eventType) })
    .meta({ id: 'RecoverAutomationInput' }),
  find: async (reader: AccountReader, input: z.output<typeof RuleInput>) =>
    requireWebhook(await findRule(reader, input)),
  lock: async (tx: AccountWriter, input: z.output<typeof RuleInput>) =>
    requireWebhook(await lockRule(tx, input)),
  requireEnabled: (rule: WebhookRule) => requireEnabled(rule),
  scopesOf: (rule: WebhookRule) => scopesOfRule(rule),
  pathOf: rulePath,
} as const;

/** Locks a rule for a change or a sending, and refuses a client without the scope for revenue that it carries. */
async function lockFor(
  ctx: Parameters<typeof requireScopes>[0],
  tx: AccountWriter,
  input: z.output<typeof RuleInput>,
): Promise<Rule> {
  const rule = await lockRule(tx, input);
  requireScopes(ctx, scopesOfRule(rule));
  return rule;
}

const revenueText =
  'The webhooks contain data of attendees. A rule about revenue needs the scope `revenue:read` as well: one with the trigger ' +
  '`purchase` or `refund`, with one of them in the params of its trigger, or with a condition on `purchased`.';

interface CallOfAccount {
  database: { query: Query };
  principal: { accountId: string };
}

/** Reads of a write before its transaction. */
const queriesOf = ({ database, principal }: CallOfAccount): AccountQueries => ({
  query: database.query,
  accountId: principal.accountId,
});

interface RulesRouterOptions {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
}

/** Standalone rules and their deliveries. */
export const createRulesRouter = ({ deliveries, checkUrl }: RulesRouterOptions) =>
  router({
    list: scopedQuery({
      scope: 'automations:read',
      rest: `GET ${path}`,
      tool: 'list_automations',
      summary: 'List automation rules',
      description: 'Lists standalone rules. The rules of webhook subscriptions are not included.',
      tag,
    })
      .input(ListRulesInput)
      .output(pageOf(RuleOutput))
      .query(({ ctx: { reader }, input }) => listRules(reader, deliveries, input)),

    create: scopedMutation({
      scope: 'automations:write',
      scopesFor: scopesOfDraft,
      rest: `POST ${path}`,
      tool: 'create_automation',
      summary: 'Create an automation rule',
      description:
        'The rule performs its actions when its trigger occurs and all of its conditions are met: it sends a signed webhook or ' +
        'e-mails, or updates the contact in a marketing tool. Each action has its own outcome. The response contains the secret that ' +
        `signs the webhooks. It is returned only this once. ${revenueText}`,
      tag,
      status: 201,
    })
      .input(CreateRuleInput)
      .output(dataOf(CreatedRuleOutput))
      .mutation(async ({ ctx, input }) => {
        const destination = destinationOf(input);
        const named = { webinarId: input.webinarId, trigger: input.trigger, actions: actionsOf(input) };
        if (destination)
          await requireDestination(checkUrl, destination, () => problemsOfRecords(queriesOf(ctx), named));
        const rule = await ctx.transaction((tx) => createRule(tx, deliveries, input));
        ctx.reply.location = rulePath(rule);
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

    /** Members can read the secret again. Keys cannot. */
    reveal: memberQuery()
      .input(RuleInput)
      .output(dataOf(z.object({ secret: z.string() })))
      .query(async ({ ctx: { reader }, input }) => {
        const { endpointId } = requireWebhook(await findRule(reader, input));
        return { data: { secret: await deliveries.revealSecret(reader, endpointId) } };
      }),

    /** For a form, while a person types. It writes nothing, but a draft may be too long for the URL of a query. */
    check: memberMutation({ whileSuspended: true })
      .input(CheckRuleInput)
      .output(dataOf(z.array(ErrorIssue)))
      .mutation(async ({ ctx, input }) => ({ data: await problemsOfRule(queriesOf(ctx), input) })),

    /** Why the rule fired or did not fire for one attendee. */
    explain: toolQuery({ scope: 'automations:read', alsoScopes: ['registrations:read'] })
      .input(ExplainInput)
      .output(dataOf(ExplanationOutput))
      .query(async ({ ctx, input }) => {
        const rule = await findRule(ctx.reader, input);
        // The answer says whether and when the attendee bought something.
        requireScopes(ctx, scopesOfRule(rule));
        return { data: await explain(ctx.reader, deliveries, { ...input, rule }) };
      }),

    update: scopedMutation({
      scope: 'automations:write',
      scopesFor: scopesOfDraft,
      rest: `PATCH ${path}/{ruleId}`,
      tool: 'update_automation',
      summary: 'Change an automation rule',
      description:
        'Replaces the given fields and leaves the others unchanged. `halted: true` pauses the rule and keeps what waits; `enabled: false` ' +
        `cancels it, and the answer says how many deliveries these were. ${revenueText} So does a rule that was about revenue before.`,
      tag,
    })
      .input(UpdateRuleInput)
      .output(dataOf(UpdatedRuleOutput))
      .mutation(async ({ ctx, input }) => {
        const destination = destinationOf(input);
        if (destination) await requireDestination(checkUrl, destination);
        const rule = await ctx.edit({
          record: RuleOutput,
          lock: async (tx) => (await describeRules(tx, deliveries, [await lockFor(ctx, tx, input)]))[0]!,
          change: async (tx) => updateRule(tx, deliveries, { ...input, rule: await lockFor(ctx, tx, input) }),
        });
        return { data: rule };
      }),

    rotateSecret: scopedMutation({
      scope: 'automations:write',
      rest: `POST ${path}/{ruleId}/rotate-secret`,
      tool: 'rotate_automation_secret',
      summary: 'Replace the secret of a rule',
      description:
        'The new secret signs everything from now on, including retries of earlier deliveries. A rule about revenue needs the scope ' +
        '`revenue:read` as well.',
      tag,
    })
      .input(RuleInput)
      .output(dataOf(RotatedSecretOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction(async (tx) =>
          rotateRuleSecret(tx, deliveries, await lockFor(ctx, tx, input)),
        ),
      })),

    delete: scopedMutation({
      scope: 'automations:write',
      rest: `DELETE ${path}/{ruleId}`,
      tool: 'delete_automation',
      summary: 'Delete an automation rule',
      description: 'Deliveries and mails that are waiting are cancelled.',
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
        'Sends a sample of the event type of its trigger, with this webinar and `is_test: true`, to the webhook of the rule. Conditions are not ' +
        'evaluated, and no mails are sent. A rule ' +
        'about revenue needs the scope `revenue:read` as well.',
      tag,
      status: 202,
    })
      .input(RuleInput)
      .output(dataOf(QueuedDeliveryOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const rule = requireWebhook(await lockFor(ctx, tx, input));
          requireEnabled(rule);
          const { endpointId, webinarId, triggerType: eventType } = rule;
          const queued = await sendTest(tx, deliveries, { endpointId, webinarId, eventType });
          ctx.reply.location = `${rulePath(rule)}/deliveries/${queued.id}`;
          return { data: queued };
        }),
      ),

    ...endpointProcedures(deliveries, ruleOwner),
  });
