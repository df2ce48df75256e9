import { id, instant, pageInput } from '@service/trpc';
import { conditionOperator } from '@service/webinars';
import { z } from 'zod';
import { executionOutcomes, skipReasons, type SkipReason } from '../entities.ts';

const executionOutcome = z.enum(executionOutcomes).meta({ id: 'ExecutionOutcome' });

const filters = {
  outcome: executionOutcome.optional(),
  registrationId: id('registration').optional(),
  sessionId: id('session').optional().describe('Only executions of this session.'),
  ...pageInput,
};

export const ListExecutionsInput = z.strictObject({ webinarId: id('webinar'), ...filters });

export const ListRuleExecutionsInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule'),
  ...filters,
});

const reasons: Record<SkipReason, string> = {
  condition_not_met: 'at least one condition was not met',
  already_fired: 'the rule had already fired for this, for the same attendee and session',
  rule_disabled: 'the rule was switched off before the event was due',
  registered_too_late: 'the attendee registered after the time of the rule before the session',
  registration_cancelled: 'the registration was cancelled before the event was due',
  session_cancelled: 'the session was cancelled',
  session_not_scheduled: 'the session is just-in-time or on-demand, and the rule is for scheduled sessions',
  webinar_archived: 'the webinar was archived or deleted before the event was due',
  webinar_unpublished: 'the webinar was a draft again when the event was due',
  not_in_audience: 'the attendee is not in the audience of the rule',
  other_event_came: 'the `unlessEvent` of the rule came first',
  evaluation_budget:
    'other rules had used up the limit of one event: 50 ms of CPU time and 1 MiB of compared text',
};

const reasonList = skipReasons.map((reason) => `\`${reason}\`: ${reasons[reason]}`).join('; ');

const keptValues =
  'A long list is cut after its first items. Null if the values of the event had more than 50,000 characters together.';

const ConditionResultOutput = z
  .object({
    field: z.string(),
    operator: conditionOperator,
    expected: z.unknown().describe(`The value of the condition. ${keptValues}`),
    actual: z.unknown().describe(`The value that the attendee had at that time. ${keptValues}`),
    passed: z.boolean(),
  })
  .meta({ id: 'ConditionResult' });

export const ExecutionOutput = z
  .object({
    id: z.uuid(),
    ruleId: z.uuid().describe('For a subscription, the rule of one of its event types.'),
    ruleName: z.string().describe('The name of the rule at that time.'),
    registrationId: z.uuid(),
    sessionId: z.uuid(),
    eventId: z.uuid(),
    eventType: z.string(),
    outcome: executionOutcome,
    skipReason: z
      .enum(skipReasons)
      .meta({ id: 'SkipReason' })
      .nullable()
      .describe(`Why the rule did not fire. Null if it fired. ${reasonList}.`),
    conditions: z
      .array(ConditionResultOutput)
      .describe(
        'The results of the conditions. A very large batch keeps only the first condition that failed.',
      ),
    deliveryId: z.uuid().nullable().describe('The delivery that the rule sent. Null if it did not fire.'),
    createdAt: instant(),
  })
  .meta({ id: 'Execution' });
