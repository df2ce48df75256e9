import { allSkipReasons, skipReasons } from '@service/catalogue';
import { forwards, id, instant, moment, pageInput } from '@service/trpc';
import { conditionOperator } from '@service/conditions';
import { DeliverySummary } from '@service/deliveries';
import { mailStatus } from '@service/mails';
import { contactStatuses } from '@service/contacts';
import { z } from 'zod';
import { executionOutcomes } from '../entities.ts';

const executionOutcome = z
  .enum(executionOutcomes)
  .meta({ id: 'ExecutionOutcome', description: 'The result of the rule: it fired, or why it did not.' });

const skipReason = z.enum(allSkipReasons).meta({ id: 'SkipReason' });

const filters = {
  outcome: executionOutcome.optional().describe('Only executions with this outcome.'),
  skipReason: skipReason.optional().describe('Only executions that were skipped for this reason.'),
  registrationId: id('registration').optional().describe('Only executions for this registration.'),
  sessionId: id('session').optional().describe('Only executions of this session.'),
  from: moment.optional().describe('Only executions at this time or later.'),
  to: moment.optional().describe('Only executions before this time.'),
  ...pageInput,
};

export const ListExecutionsInput = forwards(z.strictObject({ webinarId: id('webinar'), ...filters }));

export const ListRuleExecutionsInput = forwards(
  z.strictObject({ webinarId: id('webinar'), ruleId: id('rule'), ...filters }),
);

const reasonList = allSkipReasons
  .map((reason) => `\`${reason}\`: ${skipReasons[reason].description}`)
  .join('; ');

const keptValues =
  'A long list is cut after its first items. Null if the values of the event had more than 50,000 characters together.';

export const ConditionResultOutput = z
  .object({
    field: z.string().describe('The field of the condition.'),
    operator: conditionOperator,
    expected: z.unknown().describe(`The value of the condition. ${keptValues}`),
    actual: z.unknown().describe(`The value that the attendee had at that time. ${keptValues}`),
    passed: z.boolean().describe('True if the condition was met.'),
  })
  .meta({ id: 'ConditionResult' });

const actionId = z.uuid().describe('The id of the action of the rule.');

export const actionType = <Type extends string>(type: Type) =>
  z.literal(type).describe('The type of the action.');

const ActionOutcome = z
  .discriminatedUnion('type', [
    z
      .object({
        type: actionType('webhook'),
        actionId,
        deliveryId: id('delivery'),
        status: DeliverySummary.shape.status,
      })
      .meta({ id: 'WebhookOutcome' }),
    z
      .object({
        type: actionType('email'),
        actionId,
        mailId: id('mail'),
        status: mailStatus.describe('Of a mail to members: of the member whose mail has got least far.'),
        reason: z
          .string()
          .nullable()
          .describe(
            'Why the mail was not sent, or the last failure of a queued one. Null without the scope `registrations:read`.',
          ),
      })
      .meta({ id: 'EmailOutcome' }),
    z
      .object({
        type: actionType('integration'),
        actionId,
        connectionId: id('connection'),
        status: z
          .enum(contactStatuses)
          .meta({ id: 'IntegrationStatus' })

          .describe(
            'Of the last send for this execution. The others are in the history of the connection. `connection_removed`: it was not sent ' +
              'before the connection was removed.',
          ),
      })
      .meta({ id: 'IntegrationOutcome' }),
  ])
  .meta({ id: 'ActionOutcome' });

export const ExecutionOutput = z
  .object({
    id: id('execution'),
    ruleId: z.uuid().describe('For a subscription, the rule of one of its event types.'),
    ruleName: z.string().describe('The name of the rule at that time.'),
    registrationId: id('registration'),
    sessionId: id('session'),
    eventId: id('event'),
    eventType: z.string().describe('The type of the event.'),
    outcome: executionOutcome,
    skipReason: skipReason.nullable().describe(`Why the rule did not fire. Null if it fired. ${reasonList}.`),
    conditions: z
      .array(ConditionResultOutput)
      .describe(
        'The results of the conditions. A very large batch keeps only the first condition that failed.',
      ),
    deliveryId: z
      .uuid()
      .nullable()
      .describe('The delivery that the rule sent. Null if it did not fire, or has no webhook.'),
    actions: z
      .array(ActionOutcome)
      .describe('The actions of the rule, with the present outcome of each. Empty if the rule did not fire.'),
    createdAt: instant(),
  })
  .meta({ id: 'Execution' });
