import { ConditionOutput, Conditions } from '@service/conditions';
import { EndpointHealthOutput } from '@service/deliveries';
import { isEmptyContact, ruleContactFields } from '@service/contacts';
import { problemsOfRuleMail, ruleMailFields } from '@service/mails';
import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { destinationUrl } from '../endpoint/require-destination.ts';
import { cancelledDeliveries, halted, haltedInput } from '../endpoint/schemas.ts';
import { fireModes } from '../entities.ts';
import { Trigger } from '../event-type/event-types.ts';
import { actionType, ConditionResultOutput, ExecutionOutput } from '../execution/schemas.ts';

const fireMode = z.enum(fireModes).meta({
  id: 'FireMode',
  description: 'Only with the trigger chat_response: how often the rule fires for an attendee in a session.',
});

const Action = z
  .strictObject({ type: actionType('webhook'), url: destinationUrl })
  .meta({ id: 'AutomationAction', description: 'Sends a signed webhook.' });

const actionId = id('action')
  .optional()
  .describe('Of an action that the rule has already: it stays the same action. Leave it out in a new one.');

const WebhookAction = z
  .strictObject({ ...Action.shape, id: actionId })
  .meta({ id: 'RuleWebhookInput', description: 'Sends a signed webhook.' });

const EmailAction = z
  .strictObject({
    type: actionType('email'),
    id: actionId,
    ...ruleMailFields,
    attachCalendar: ruleMailFields.attachCalendar.default(false),
  })
  .superRefine((mail, { addIssue }) => {
    for (const { field, message } of problemsOfRuleMail(mail))
      addIssue({ code: 'custom', path: [field], message });
  })
  .meta({
    id: 'RuleEmailInput',
    description: 'Sends an e-mail, from the sender and to the limits of the mails of the webinar.',
  });

const IntegrationAction = z
  .strictObject({ type: actionType('integration'), id: actionId, ...ruleContactFields })
  .refine((action) => !isEmptyContact(action), {
    path: ['fields'],
    error: 'Give a field, a tag, a list or an event.',
  })
  .meta({
    id: 'RuleIntegrationInput',
    description: 'Updates the contact of the attendee in a marketing tool.',
  });

const actionsMax = 5;

const Actions = z
  .array(
    z
      .discriminatedUnion('type', [WebhookAction, EmailAction, IntegrationAction])
      .meta({ id: 'RuleActionInput' }),
  )
  .min(1, 'At least one.')
  .max(actionsMax, `At most ${actionsMax}.`)
  .refine(
    (actions) => actions.filter(({ type }) => type === 'webhook').length <= 1,
    'At most one webhook, because a rule has one secret.',
  )
  .refine((actions) => {
    const ids = actions.flatMap((action) => action.id ?? []);
    return new Set(ids).size === ids.length;
  }, 'Two actions have the same id.');

export type ActionsInput = z.output<typeof Actions>;

interface ActionFields {
  action?: unknown;
  actions?: unknown;
}

/** Also shown beside problems of other fields. */
const besideOthers = {
  when: ({ value }: z.core.ParsePayload) => typeof value === 'object' && value !== null,
};

const notBoth = {
  check: ({ action, actions }: ActionFields) => action === undefined || actions === undefined,
  options: { path: ['actions'], error: 'Give `action` or `actions`, not both.', ...besideOthers },
};

export const RuleInput = z.strictObject({ webinarId: id('webinar'), ruleId: id('rule') });

export const ListRulesInput = z.strictObject({ webinarId: id('webinar'), ...pageInput });

export const CreateRuleInput = z
  .strictObject({
    webinarId: id('webinar'),
    name: text(100).describe('A name for your own use.'),
    enabled: z.boolean().default(true).describe('False: the rule does not fire.'),
    trigger: Trigger,
    conditions: Conditions.default([]),
    fireMode: fireMode.optional(),
    action: Action.optional().describe('The same as `actions` with this webhook alone.'),
    actions: Actions.optional().describe('Required, or `action`.'),
  })
  .refine(({ action, actions }: ActionFields) => action !== undefined || actions !== undefined, {
    path: ['action'],
    error: 'Give `actions`, or `action` for a single webhook.',
    ...besideOthers,
  })
  .refine(notBoth.check, notBoth.options)
  .meta({ id: 'CreateAutomationInput' });

const changeable = {
  name: text(100).optional().describe('A name for your own use.'),
  enabled: z
    .boolean()
    .optional()
    .describe('Switching it off cancels deliveries and mails that are waiting. `halted` keeps deliveries.'),
  halted: haltedInput,
  trigger: Trigger.optional(),
  conditions: Conditions.optional().describe('Replaces all conditions.'),
  fireMode: fireMode.optional(),
  action: Action.optional().describe(
    'Changes the URL of the webhook, or adds a webhook. Other actions stay.',
  ),
  actions: Actions.optional().describe(
    'Replaces all actions. Those with an `id` that the rule has stay the same action, and so does its webhook. What waits of the others ' +
      'is cancelled.',
  ),
};

export const UpdateRuleInput = z
  .strictObject({ ...RuleInput.shape, ...changeable })
  .refine(
    (input) => Object.keys(changeable).some((name) => input[name as keyof typeof input] !== undefined),
    {
      path: ['body'],
      error: `Give at least one of ${Object.keys(changeable).join(', ')}.`,
    },
  )
  .refine(notBoth.check, notBoth.options)
  .meta({ id: 'UpdateAutomationInput' });

const ofAction = z.uuid().describe('The id of the action.');

const ActionOutput = z
  .discriminatedUnion('type', [
    z
      .object({
        id: ofAction,
        type: actionType('webhook'),
        url: z.string().describe('The URL of the receiver.'),
      })
      .meta({ id: 'RuleWebhook' }),
    z.object({ id: ofAction, type: actionType('email'), ...ruleMailFields }).meta({ id: 'RuleEmail' }),
    z
      .object({ id: ofAction, type: actionType('integration'), ...ruleContactFields })
      .meta({ id: 'RuleIntegration' }),
  ])
  .meta({ id: 'RuleAction' });

export const RuleOutput = z
  .object({
    id: id('rule'),
    webinarId: id('webinar'),
    name: z.string().describe('A name for your own use.'),
    enabled: z.boolean().describe('False: the rule does not fire.'),
    halted,
    trigger: Trigger,
    conditions: z
      .array(ConditionOutput)
      .describe('All conditions must be met when the event happens. An empty list is always met.'),
    fireMode: fireMode
      .nullable()
      .describe(
        'The limit of firings for an attendee in a session. Null for triggers other than `chat_response`.',
      ),
    action: Action.nullable().describe(
      'The webhook among `actions`. Null if there is none. For clients that know rules with one action.',
    ),
    actions: z.array(ActionOutput).describe('The webhook comes first.'),
    health: EndpointHealthOutput.nullable().describe('Of the webhook. Null without one.'),
    secretLast4: z.string().nullable().describe('Of the webhook. Null without one.'),
    secretRotatedAt: instant().nullable().describe('Of the webhook. Null without one.'),
    lastFiredAt: instant()
      .nullable()
      .describe('Null if it did not fire for any of the last thousand events that it was evaluated for.'),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Automation' });

export const UpdatedRuleOutput = RuleOutput.extend({
  cancelledDeliveries,
  secret: z
    .string()
    .optional()
    .describe('The secret of a webhook that this change has added. It is returned only this once.'),
}).meta({ id: 'UpdatedAutomation' });

export const CreatedRuleOutput = RuleOutput.extend({
  secret: z
    .string()
    .nullable()
    .describe(
      'The secret that signs the deliveries of this rule. It is returned only this once. Null for a rule without a webhook.',
    ),
}).meta({ id: 'CreatedAutomation' });

export const ExplainInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule'),
  registrationId: id('registration'),
});

/** The answers to "Why did it not fire for this attendee?". */
export const explanationKinds = [
  /** The newest execution answers. */
  'fired',
  'skipped',
  /** There is no execution, because: */
  'event_has_not_happened',
  'other_event_happened',
  'not_due_yet',
  'rule_is_off',
  'rule_is_newer',
  'rule_was_changed',
  'no_record',
] as const;

export const ExplanationOutput = z.object({
  kind: z.enum(explanationKinds),
  /** The time of the event, or the time at which the rule is due. */
  at: instant().nullable(),
  /** The watch time so far, for a rule that waits for watch time. */
  watched: z.object({ percent: z.number(), minutes: z.number() }).nullable(),
  /** The newest executions of the rule for this attendee. */
  executions: z.array(ExecutionOutput),
  /** The conditions of the rule with the present values of the attendee. Empty if it fired, or if they take too long to evaluate. */
  conditionsNow: z.array(ConditionResultOutput),
});

export const CheckRuleInput = z.strictObject({
  webinarId: id('webinar'),
  /** The body of `POST …/automations` as far as it is filled in. */
  draft: z.looseObject({}),
});
