import { DeliveryDetailOutput, DeliverySummary } from '@service/deliveries';
import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { eventTypes, normalizeEventTypes } from './event-types.ts';

const url = z
  .string()
  .trim()
  .max(2048)
  .describe('Where to send: https, and a host that is reachable from the Internet.');

export const WebhookInput = z.strictObject({
  webinarId: id('webinar'),
  webhookId: id('webhook subscription'),
});

export const ListWebhooksInput = z.strictObject({ webinarId: id('webinar'), ...pageInput });

export const CreateWebhookInput = z.strictObject({
  webinarId: id('webinar'),
  url,
  eventTypes: z
    .array(z.enum(eventTypes))
    .min(1, 'Choose at least one event type.')
    .max(100)
    .transform(normalizeEventTypes)
    .describe('What to listen to.'),
  active: z.boolean().default(true),
});

export const WebhookOutput = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  url: z.string(),
  eventTypes: z.array(z.enum(eventTypes)),
  active: z.boolean(),
  secretLast4: z.string(),
  secretRotatedAt: instant(),
  createdAt: instant(),
});

export const CreatedWebhookOutput = WebhookOutput.extend({
  secret: z.string().describe('Keys the signatures of this subscription. Shown only this once.'),
});

export const ListDeliveriesInput = z.strictObject({ ...WebhookInput.shape, ...pageInput });

export const DeliveryInput = z.strictObject({ ...WebhookInput.shape, deliveryId: id('delivery') });

export const RuleInput = z.strictObject({ webinarId: id('webinar'), ruleId: id('rule') });

export const ListRulesInput = z.strictObject({ webinarId: id('webinar') });

export const CreateRuleInput = z.strictObject({
  webinarId: id('webinar'),
  name: text(100),
  url,
  enabled: z.boolean().default(true),
});

export const SetRuleEnabledInput = z.strictObject({ ...RuleInput.shape, enabled: z.boolean() });

export const RuleOutput = z.object({
  id: z.uuid(),
  name: z.string(),
  enabled: z.boolean(),
  trigger: z.object({ type: z.literal('registered') }),
  action: z.object({ type: z.literal('webhook'), url: z.string() }),
  secretLast4: z.string(),
  createdAt: instant(),
});

export const RuleWithSecretOutput = RuleOutput.extend({ secret: z.string() });

export const RegistrationDeliveriesInput = z.strictObject({
  webinarId: id('webinar'),
  registrationIds: z.array(z.uuid()).max(100),
});

const sourceName = z.string().describe('The rule that sent it, by the name it had then.');

export const RegistrationDeliveriesOutput = z.object({
  registrationId: z.uuid(),
  deliveries: z.array(
    DeliverySummary.extend({
      eventType: z.string(),
      sourceName,
      createdAt: instant(),
    }),
  ),
});

export const WebinarDeliveryInput = z.strictObject({ webinarId: id('webinar'), deliveryId: id('delivery') });

export const WebinarDeliveryOutput = DeliveryDetailOutput.extend({ sourceName });
