import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { attendee, health } from './automation-tools.ts';
import { moment, nullable, text, whole, withoutJoinLinks } from './output-fields.ts';

const Endpoint = z.object({
  kind: text,
  id: text,
  name: nullable(text),
  webinarId: text,
  webinarTitle: text,
  url: text,
  eventTypes: z.array(text),
  enabled: z.boolean(),
  halted: z.boolean(),
  health,
  waiting: whole,
  oldestWaitingAt: nullable(moment),
});

const source = z
  .object({
    id: text,
    name: nullable(text),
    webinarId: text,
    webinarTitle: nullable(text),
    enabled: z.boolean(),
  })
  .nullable();

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

const Recovery = z.object({
  id: text,
  state: text,
  since: moment,
  until: moment,
  total: whole,
  queued: whole,
  finishedAt: nullable(moment),
});

const recoveryTexts = { from: 'Created at this time or later.', to: 'Created before this time.' };

/** `from` and `to` are shown. */
const hiddenArguments = ['eventTypes', 'since', 'until'];

/** The endpoints of rules and subscriptions and their deliveries. Those of rules are sent again here too. */
export const webhookTools: readonly ToolDefinition[] = [
  {
    name: 'list_webhook_endpoints',
    procedure: 'endpoints.list',
    title: 'List webhook endpoints',
    description:
      'Lists the receivers of all rules and subscriptions: whether each is healthy, failing, paused or halted, why and since when, and ' +
      'what waits. Read every page to say whether all integrations work.',
    output: page(Endpoint),
  },
  {
    name: 'list_deliveries',
    procedure: 'tools.deliveries',
    title: 'List deliveries of webhooks',
    description:
      'Lists the webhooks of rules and subscriptions, newest first. `status: "failing"` with `from` finds what failed ' +
      'since a time: most of it is still retried, for three days.',
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
      'Reads one delivery with each attempt: the status of the receiver, or why it could not be reached.',
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
      'Counts the webhooks of a rule that have failed for good since a time. Show the number to the user ' +
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
    description: 'Sends all failed webhooks of a rule since a time again, in the background.',
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
  {
    name: 'send_waiting_automation_deliveries',
    procedure: 'automations.rules.sendWaiting',
    title: 'Send what waits now',
    description:
      'Sends the webhooks of a rule that wait for a retry or for a paused endpoint now. Use it after the receiver was repaired.',
    output: one(z.object({ count: whole, oldestAt: nullable(moment), nextAttemptAt: nullable(moment) })),
    hints: { idempotent: true, openWorld: true },
  },
  {
    name: 'cancel_automation_recovery',
    procedure: 'automations.rules.cancelRecovery',
    title: 'Stop a recovery',
    description: 'Stops a running recovery. What it has queued so far is still sent.',
    output: one(Recovery),
    hints: { destructive: true },
  },
];
