import { EndpointHealthOutput } from '@service/deliveries';
import { id, instant, pageInput, text } from '@service/trpc';
import { Condition, Conditions } from '@service/webinars';
import { z } from 'zod';
import { destinationUrl } from '../destination.ts';
import { Trigger } from '../event/trigger.ts';
import { fireModes } from './rule.ts';

const fireMode = z
  .enum(fireModes)
  .describe('Of rules on chat_response only: how often one fires for an attendee in a session.');

const Action = z
  .strictObject({ type: z.literal('webhook'), url: destinationUrl })
  .describe('What the rule does: send a signed webhook.');

export const RuleInput = z.strictObject({ webinarId: id('webinar'), ruleId: id('rule') });

export const ListRulesInput = z.strictObject({ webinarId: id('webinar'), ...pageInput });

export const CreateRuleInput = z.strictObject({
  webinarId: id('webinar'),
  name: text(100).describe('For people.'),
  enabled: z.boolean().default(true),
  trigger: Trigger,
  conditions: Conditions.default([]),
  fireMode: fireMode.optional(),
  action: Action,
});

const changeable = {
  name: text(100).optional(),
  enabled: z.boolean().optional().describe('Switching it off cancels what waits to be delivered.'),
  trigger: Trigger.optional(),
  conditions: Conditions.optional().describe('In place of all there were.'),
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
  );

export const RuleOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  name: z.string(),
  enabled: z.boolean(),
  trigger: Trigger,
  conditions: z.array(Condition),
  fireMode: fireMode.nullable(),
  action: Action,
  health: EndpointHealthOutput,
  secretLast4: z.string(),
  secretRotatedAt: instant(),
  lastFiredAt: instant()
    .nullable()
    .describe('Null when it did not among the last thousand events it looked at.'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const CreatedRuleOutput = RuleOutput.extend({
  secret: z.string().describe('Keys the signatures of this rule. Shown only this once.'),
});
