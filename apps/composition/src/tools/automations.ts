import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { eventCatalogue } from '@service/automations';
import { z } from 'zod';
import { moment, nullable, text, whole, withoutJoinLinks } from './fields.ts';

export const health = z.object({
  status: text,
  failuresInARow: whole,
  since: nullable(moment),
  nextProbeAt: nullable(moment),
  lastFailure: nullable(text),
  lastResponseCode: nullable(whole),
});

const Rule = z.object({
  id: text,
  webinarId: text,
  name: text,
  enabled: z.boolean(),
  halted: z.boolean(),
  trigger: z.looseObject({ type: text }),
  conditions: z.array(z.looseObject({ field: text })),
  action: z.object({ type: text, url: text }),
  health,
  secretLast4: text,
  lastFiredAt: nullable(moment),
});

/** The answer to a creation. */
const MadeRule = Rule.pick({
  id: true,
  name: true,
  enabled: true,
  trigger: true,
  action: true,
  secretLast4: true,
});

/** The answer to a change. A refused one has the present rule, which has nothing cancelled. */
const ChangedRule = MadeRule.extend({
  halted: z.boolean(),
  cancelledDeliveries: z
    .looseObject({ count: whole })
    .overwrite((cancelled) => ({ ...cancelled, toSendThem }))
    .nullable()
    .default(null),
});

const toSendThem =
  'Set enabled to true, then call create_automation_recovery with statuses ["cancelled"] and from = oldestCreatedAt.';

const source = z
  .object({
    id: text,
    name: nullable(text),
    webinarId: text,
    webinarTitle: nullable(text),
    enabled: z.boolean(),
  })
  .nullable();

const execution = {
  id: text,
  ruleId: text,
  ruleName: text,
  registrationId: text,
  eventType: text,
  outcome: text,
  skipReason: nullable(text),
  conditions: z.array(
    withUntrusted(
      { field: text, operator: text, expected: z.unknown(), passed: z.boolean() },
      { actual: z.unknown() },
    ),
  ),
  deliveryId: nullable(text),
  createdAt: moment,
};

const attendee = z.object({ name: text, email: text }).nullable();

const delivery = {
  id: text,
  status: text,
  eventType: text,
  attempts: whole,
  triesLeft: whole,
  responseCode: nullable(whole),
  failure: nullable(text),
  registrationId: nullable(text),
  createdAt: moment,
  deliveredAt: nullable(moment),
};

export const Recovery = z.object({
  id: text,
  state: text,
  since: moment,
  until: moment,
  total: whole,
  queued: whole,
  finishedAt: nullable(moment),
});

const trigger = {
  type: 'object',
  properties: { type: { enum: eventCatalogue.map(({ type }) => type) }, params: { type: 'object' } },
  description:
    'Such as {"type":"registered"} or {"type":"watched_percent","params":{"percent":50}}. The resource service://event-types lists ' +
    'all types and their params.',
};
const conditions = {
  type: 'array',
  items: { type: 'object' },
  description: 'Such as [{"field":"watchedPercent","operator":"gte","value":50}]. All must be met.',
};
const url = {
  type: 'object',
  description: '{"type":"webhook","url":"https://example.com/hook"}, the receiver.',
};
/** The tool that creates a rule describes it. */
const asCreated = { type: 'object', description: 'As in create_automation.' };
const recoveryTexts = { from: 'Created at this time or later.', to: 'Created before this time.' };

/** `from` and `to` are shown. */
const hiddenArguments = ['eventTypes', 'since', 'until'];

export const automationTools: readonly ToolDefinition[] = [
  {
    name: 'list_automations',
    procedure: 'automations.rules.list',
    title: 'List automation rules',
    description:
      'Lists the rules of a webinar that send webhooks, with their trigger, conditions, receiver and its health. Begin here when a ' +
      'webhook did not arrive.',
    output: page(Rule),
  },
  {
    name: 'create_automation',
    procedure: 'automations.rules.create',
    title: 'Connect a webhook',
    description:
      'Sends data of attendees to a URL, such as that of a CRM, whenever the trigger occurs and all conditions are met. Ask the user for the URL.',
    texts: { name: 'Name for your team.', enabled: 'False: it never fires.' },
    arguments: { trigger, conditions, action: url },
    hiddenArguments: ['fireMode'],
    output: one(MadeRule),
    hints: { destructive: true, openWorld: true },
  },
  {
    name: 'update_automation',
    procedure: 'automations.rules.update',
    title: 'Change an automation rule',
    description:
      'Changes only the given fields. `halted: true` pauses the rule and keeps what waits; `halted: false` sends it. `enabled: false` ' +
      'cancels what waits: the result says how many and how to send them. A new URL gets data of attendees: ask the user for it.',
    texts: {
      name: 'Name for your team.',
      enabled: 'False cancels what waits.',
      halted: 'True keeps what waits.',
    },
    arguments: { trigger: asCreated, conditions: { ...asCreated, type: 'array' }, action: asCreated },
    hiddenArguments: ['fireMode'],
    output: one(ChangedRule),
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
  {
    name: 'delete_automation',
    procedure: 'automations.rules.delete',
    title: 'Delete an automation rule',
    description:
      'Deletes the rule and cancels deliveries that wait. To stop it for a while, set `halted` to true instead.',
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'test_automation',
    procedure: 'automations.rules.sendTest',
    title: 'Send a test webhook',
    description:
      'Sends a sample webhook of the rule to its receiver. Read the result with get_automation_delivery after a few seconds.',
    output: one(z.object({ id: text, status: text })),
    hints: { openWorld: true },
  },
  {
    name: 'explain_automation',
    procedure: 'automations.rules.explain',
    title: 'Explain why a rule fired or not',
    description:
      'Answers why a rule fired or did not fire for one attendee. `kind` is the answer: fired, skipped (see the conditions of ' +
      '`executions`), event_has_not_happened, not_due_yet, rule_is_off and others. See get_automation_delivery for what was sent.',
    output: one(
      z.object({
        kind: text,
        at: nullable(moment),
        watched: z.object({ percent: whole, minutes: whole }).nullable(),
        executions: z.array(z.object(execution)),
      }),
    ),
  },
  {
    name: 'list_executions',
    procedure: 'tools.executions',
    title: 'List evaluations of rules',
    description:
      'Lists how rules were evaluated, newest first: whether they fired, why not, and each condition with its expected and actual ' +
      'value. For one attendee explain_automation is shorter.',
    texts: { ruleId: 'Only this rule.', registrationId: 'Only this person.', outcome: 'Fired, or not.' },
    output: page(withUntrusted(execution, { attendee })),
  },
  {
    name: 'list_deliveries',
    procedure: 'tools.deliveries',
    title: 'List deliveries of webhooks',
    description:
      'Lists the webhooks of rules and subscriptions of the workspace, newest first. `status: "failing"` with `from` finds what failed ' +
      'since a time: most of it is still retried, for three days. A page may be short and still have a next one.',
    texts: {
      webinarId: 'Only of this webinar.',
      ruleId: 'Only this rule.',
      registrationId: 'Only this person.',
    },
    output: page(
      withUntrusted(
        {
          ...delivery,
          nextAttemptAt: nullable(moment),
          source: nullable(text),
          rule: source,
          subscription: source,
        },
        { attendee },
      ),
    ),
  },
  {
    name: 'get_automation_delivery',
    procedure: 'tools.delivery',
    title: 'Get a delivery',
    description:
      'Reads one delivery with each attempt: the status that the receiver answered, or why it could not be reached. Use it to find ' +
      'out why a webhook did not arrive.',
    output: one(
      withUntrusted(
        {
          ...delivery,
          url: nullable(text),
          attemptLog: z.array(
            withUntrusted(
              {
                number: whole,
                startedAt: moment,
                durationMs: whole,
                responseCode: nullable(whole),
                failure: nullable(text),
              },
              { failureMessage: nullable(text) },
            ),
          ),
        },
        { attendee, responseSnippet: nullable(withoutJoinLinks) },
      ),
    ),
  },
  {
    name: 'redeliver_automation_delivery',
    procedure: 'automations.rules.redeliver',
    title: 'Send a delivery again',
    description:
      'Sends one webhook again, as a new delivery. For many failed ones use create_automation_recovery.',
    output: one(z.object({ id: text, status: text, redeliveryOf: text })),
    hints: { openWorld: true },
  },
  {
    name: 'preview_automation_recovery',
    procedure: 'automations.rules.previewRecovery',
    title: 'Count what a recovery would send',
    description:
      'Counts the webhooks of a rule that have failed for good since a time, without sending anything. Show the number to the user ' +
      'first. `waiting` is what is still retried: send_waiting_automation_deliveries sends it now.',
    texts: recoveryTexts,
    hiddenArguments,
    output: one(
      z.object({
        since: moment,
        until: moment,
        total: whole,
        waiting: z.object({ queued: whole, retrying: whole, nextAttemptAt: nullable(moment) }),
      }),
    ),
    hints: { readOnly: true },
  },
  {
    name: 'create_automation_recovery',
    procedure: 'automations.rules.createRecovery',
    title: 'Send again what failed',
    description:
      'Sends all failed webhooks of a rule since a time again, in the background. Those that arrived meanwhile are left out.',
    texts: recoveryTexts,
    hiddenArguments,
    output: one(Recovery),
    hints: { openWorld: true },
  },
  {
    name: 'get_automation_recovery',
    procedure: 'automations.rules.getRecovery',
    title: 'Get the progress of a recovery',
    description: 'Reads how many webhooks a recovery has queued so far, and whether it has finished.',
    output: one(Recovery),
  },
];
