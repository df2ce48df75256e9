import { one, page, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { health, Recovery } from './automations.ts';
import { moment, nullable, text, whole } from './fields.ts';

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

/** The endpoints of rules and subscriptions, and what waits for those of rules. */
export const webhookTools: readonly ToolDefinition[] = [
  {
    name: 'list_webhook_endpoints',
    procedure: 'endpoints.list',
    title: 'List webhook endpoints',
    description:
      'Lists the receivers of all rules and subscriptions: whether each is healthy, failing, paused or halted, why and since when, and ' +
      'what waits. Answers whether all integrations work, after every page was read.',
    output: page(Endpoint),
  },
  {
    name: 'send_waiting_automation_deliveries',
    procedure: 'automations.rules.sendWaiting',
    title: 'Send what waits now',
    description:
      'Sends the webhooks of a rule that wait for a retry or for a paused endpoint now instead of at their own time. Use it after ' +
      'the receiver was repaired.',
    output: one(z.object({ count: whole, oldestAt: nullable(moment), nextAttemptAt: nullable(moment) })),
    hints: { idempotent: true, openWorld: true },
  },
  {
    name: 'cancel_automation_recovery',
    procedure: 'automations.rules.cancelRecovery',
    title: 'Stop a recovery',
    description: 'Stops a recovery that is running. What it has queued so far is still sent.',
    output: one(Recovery),
    hints: { destructive: true },
  },
];
