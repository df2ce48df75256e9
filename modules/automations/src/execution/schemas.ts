import { id, instant, pageInput } from '@service/trpc';
import { operators } from '@service/webinars';
import { z } from 'zod';
import { executionOutcomes, skipReasons, type SkipReason } from './execution.ts';

const filters = {
  outcome: z.enum(executionOutcomes).optional(),
  registrationId: id('registration').optional(),
  sessionId: id('session').optional().describe('What of it happened in this session.'),
  ...pageInput,
};

export const ListExecutionsInput = z.strictObject({ webinarId: id('webinar'), ...filters });

export const ListRuleExecutionsInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule'),
  ...filters,
});

const reasons: Record<SkipReason, string> = {
  condition_not_met: 'not all of its conditions held',
  already_fired: 'it had fired for this before, for this attendee in this session',
  rule_disabled: 'it was switched off before its time came',
  registered_too_late: 'the attendee registered after the moment that the rule names',
  registration_cancelled: 'the registration was cancelled before its time came',
  session_cancelled: 'the session was called off',
  session_not_scheduled: 'the session is just-in-time or on demand, and the rule is for scheduled ones',
  not_in_audience: 'the attendee is not in the part of the audience that the rule names',
  other_event_came: 'the event that holds it back came in the meantime',
  evaluation_budget:
    'the rules before it had used up what one event may take: 50 ms of CPU time and 1 MiB of compared text',
};

const reasonList = skipReasons.map((reason) => `\`${reason}\`: ${reasons[reason]}`).join('; ');

const keptValues =
  'Of a long list its first items; null when one event had more values than history keeps, 50,000 characters.';

const ConditionResultOutput = z.object({
  field: z.string(),
  operator: z.enum(operators),
  expected: z.unknown().describe(`The value of the condition. ${keptValues}`),
  actual: z.unknown().describe(`What was the case when the event came. ${keptValues}`),
  passed: z.boolean(),
});

export const ExecutionOutput = z.object({
  id: z.uuid(),
  ruleId: z.uuid().describe('Of a subscription, the rule behind one of its event types.'),
  ruleName: z.string().describe('The name it had then.'),
  registrationId: z.uuid(),
  sessionId: z.uuid(),
  eventId: z.uuid(),
  eventType: z.string(),
  outcome: z.enum(executionOutcomes),
  skipReason: z
    .enum(skipReasons)
    .nullable()
    .describe(`Why it did not fire; null when it did. ${reasonList}.`),
  conditions: z
    .array(ConditionResultOutput)
    .describe('In a batch with more results than history keeps: only the one that failed first.'),
  deliveryId: z.uuid().nullable().describe('What it sent; null when it did not fire.'),
  createdAt: instant(),
});
