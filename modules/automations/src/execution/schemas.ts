import { id, instant, pageInput } from '@service/trpc';
import { operators } from '@service/webinars';
import { z } from 'zod';
import { executionOutcomes, skipReasons } from './execution.ts';

const filters = {
  outcome: z.enum(executionOutcomes).optional(),
  registrationId: id('registration').optional(),
  ...pageInput,
};

export const ListExecutionsInput = z.strictObject({ webinarId: id('webinar'), ...filters });

export const ListRuleExecutionsInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule'),
  ...filters,
});

const ConditionResultOutput = z.object({
  field: z.string(),
  operator: z.enum(operators),
  expected: z.unknown().describe('The value of the condition.'),
  actual: z.unknown().describe('What was the case when the event came.'),
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
  skipReason: z.enum(skipReasons).nullable().describe('Why it did not fire; null when it did.'),
  conditions: z.array(ConditionResultOutput),
  deliveryId: z.uuid().nullable().describe('What it sent; null when it did not fire.'),
  createdAt: instant(),
});
