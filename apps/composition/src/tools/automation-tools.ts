import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { eventCatalogue } from '@service/automations';
import { z } from 'zod';
import { moment, nullable, text, whole } from './output-fields.ts';

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
  actions: z.array(z.looseObject({ type: text })),
  health: health.nullable(),
  secretLast4: nullable(text),
  lastFiredAt: nullable(moment),
});

/** The answer to a creation. */
const MadeRule = Rule.pick({
  id: true,
  name: true,
  enabled: true,
  trigger: true,
  actions: true,
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

const conditionResult = withUntrusted(
  { field: text, operator: text, expected: z.unknown(), passed: z.boolean() },
  { actual: z.unknown() },
);

const execution = {
  id: text,
  ruleId: text,
  ruleName: text,
  registrationId: text,
  eventType: text,
  outcome: text,
  skipReason: nullable(text),
  conditions: z.array(conditionResult),
  deliveryId: nullable(text),
  actions: z.array(
    z.object({
      type: text,
      status: text,
      deliveryId: text.optional(),
      mailId: text.optional(),
    }),
  ),
  createdAt: moment,
};

export const attendee = z.object({ name: text, email: text }).nullable();

const trigger = {
  type: 'object',
  properties: { type: { enum: eventCatalogue.map(({ type }) => type) }, params: { type: 'object' } },
  description:
    'Such as {"type":"watched_percent","params":{"percent":50}}. The resource service://event-types lists all types.',
};
const conditions = {
  type: 'array',
  items: { type: 'object' },
  description: 'Such as [{"field":"watchedPercent","operator":"gte","value":50}]. All must be met.',
};
const actions = {
  type: 'array',
  items: { type: 'object' },
  description:
    '1 to 5: {"type":"webhook","url":"https://example.com/hook"}, once, or {"type":"email","to":"attendee"|"members",' +
    '"purpose":"service"|"marketing","subject":"Hi","text":"Hi {{firstName}}"}.',
};
/** The tool that creates a rule describes it. */
const asCreated = { type: 'object', description: 'As in create_automation.' };
export const automationTools: readonly ToolDefinition[] = [
  {
    name: 'list_automations',
    procedure: 'automations.rules.list',
    title: 'List automation rules',
    description:
      'Lists the rules of a webinar, with trigger, conditions, actions and health. Begin here when a ' +
      'webhook or a mail did not arrive.',
    output: page(Rule),
  },
  {
    name: 'create_automation',
    procedure: 'automations.rules.create',
    title: 'Create an automation rule',
    description:
      'Sends data of attendees to a URL, such as that of a CRM, or e-mails, when the trigger occurs and all conditions are met. Ask the user ' +
      'for the URL, and texts.',
    texts: { name: 'Name for your team.', enabled: 'False: it never fires.' },
    arguments: { trigger, conditions, actions },
    hiddenArguments: ['fireMode', 'action'],
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
    arguments: {
      trigger: asCreated,
      conditions: { ...asCreated, type: 'array' },
      actions: {
        ...asCreated,
        type: 'array',
        description: 'All of them. Those that stay need their `id`.',
      },
    },
    hiddenArguments: ['fireMode', 'action'],
    output: one(ChangedRule),
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
  {
    name: 'delete_automation',
    procedure: 'automations.rules.delete',
    title: 'Delete an automation rule',
    description:
      'Deletes the rule and cancels what waits. To stop it for a while, set `halted` to true instead.',
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
      'Answers why a rule fired or not for one attendee. `kind`: fired, skipped (see `executions`), ' +
      'event_has_not_happened, rule_is_off and others. `conditionsNow`: present values.',
    output: one(
      z.object({
        kind: text,
        at: nullable(moment),
        watched: z.object({ percent: whole, minutes: whole }).nullable(),
        executions: z.array(z.object(execution)),
        conditionsNow: z.array(conditionResult),
      }),
    ),
  },
  {
    name: 'list_executions',
    procedure: 'tools.executions',
    title: 'List evaluations of rules',
    description:
      'Lists evaluations of rules, newest first: whether they fired, why not, and each condition with its expected and actual ' +
      'value. For one attendee explain_automation is shorter.',
    texts: { ruleId: 'Only this rule.', registrationId: 'Only this person.', outcome: 'Fired, or not.' },
    output: page(withUntrusted(execution, { attendee })),
  },
];
