import { ConditionOutput, Conditions } from '@service/conditions';
import { EndpointHealthOutput } from '@service/deliveries';
import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { destinationUrl } from '../endpoint/require-destination.ts';
import { cancelledDeliveries, halted, haltedInput } from '../endpoint/schemas.ts';
import { fireModes } from '../entities.ts';
import { Trigger } from '../event-type/event-types.ts';
import { ExecutionOutput } from '../execution/schemas.ts';

const fireMode = z.enum(fireModes).meta({
  id: 'FireMode',
  description: 'Only with the trigger chat_response: how often the rule fires for an attendee in a session.',
});

const Action = z
  .strictObject({ type: z.literal('webhook'), url: destinationUrl })
  .meta({ id: 'AutomationAction', description: 'The action of the rule: it sends a signed webhook.' });

export const RuleInput = z.strictObject({ webinarId: id('webinar'), ruleId: id('rule') });

export const ListRulesInput = z.strictObject({ webinarId: id('webinar'), ...pageInput });

export const CreateRuleInput = z
  .strictObject({
    webinarId: id('webinar'),
    name: text(100).describe('A name for your own use.'),
    enabled: z.boolean().default(true),
    trigger: Trigger,
    conditions: Conditions.default([]),
    fireMode: fireMode.optional(),
    action: Action,
  })
  .meta({ id: 'CreateAutomationInput' });

const changeable = {
  name: text(100).optional(),
  enabled: z
    .boolean()
    .optional()
    .describe('Switching it off cancels deliveries that are waiting. `halted` keeps them.'),
  halted: haltedInput,
  trigger: Trigger.optional(),
  conditions: Conditions.optional().describe('Replaces all conditions.'),
  fireMode: fireMode.optional(),
  action: Action.optional(),
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
  .meta({ id: 'UpdateAutomationInput' });

export const RuleOutput = z
  .object({
    id: z.uuid(),
    webinarId: z.uuid(),
    name: z.string(),
    enabled: z.boolean(),
    halted,
    trigger: Trigger,
    conditions: z.array(ConditionOutput),
    fireMode: fireMode.nullable(),
    action: Action,
    health: EndpointHealthOutput,
    secretLast4: z.string(),
    secretRotatedAt: instant(),
    lastFiredAt: instant()
      .nullable()
      .describe('Null if it did not fire for any of the last thousand events that it was evaluated for.'),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Automation' });

export const UpdatedRuleOutput = RuleOutput.extend({ cancelledDeliveries }).meta({ id: 'UpdatedAutomation' });

export const CreatedRuleOutput = RuleOutput.extend({
  secret: z
    .string()
    .describe('The secret that signs the deliveries of this rule. It is returned only this once.'),
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
});

export const CheckRuleInput = z.strictObject({
  webinarId: id('webinar'),
  /** The body of `POST …/automations` as far as it is filled in. */
  draft: z.looseObject({}),
});
