import { EndpointHealthOutput } from '@service/deliveries';
import { id, instant, pageInput, text } from '@service/trpc';
import { z } from 'zod';
import { destinationUrl } from '../endpoint/require-destination.ts';
import { cancelledDeliveries, halted, haltedInput } from '../endpoint/schemas.ts';
import { normalizeEventTypes, subscribableEventType } from '../event-type/event-types.ts';

const eventTypes = z
  .array(subscribableEventType)
  .min(1, 'Choose at least one event type.')
  .max(100)
  .transform(normalizeEventTypes)
  .describe('The event types that the subscription receives.');

export const WebhookInput = z.strictObject({
  webinarId: id('webinar'),
  webhookId: id('webhook subscription'),
});

export const ListWebhooksInput = z.strictObject({ webinarId: id('webinar'), ...pageInput });

const description = text(200)
  .nullable()
  .describe('A name for your own use, such as the system that receives the events.')
  .meta({ examples: ['CRM sync'] });

export const CreateWebhookInput = z
  .strictObject({
    webinarId: id('webinar'),
    url: destinationUrl,
    description: description.default(null),
    eventTypes,
    active: z.boolean().default(true).describe('False: no events are delivered.'),
  })
  .meta({ id: 'CreateWebhookInput' });

const changeable = ['url', 'description', 'eventTypes', 'active', 'halted'] as const;

export const UpdateWebhookInput = z
  .strictObject({
    ...WebhookInput.shape,
    url: destinationUrl.optional(),
    description: description.optional(),
    eventTypes: eventTypes.optional(),
    active: z
      .boolean()
      .optional()
      .describe('Switching it off cancels deliveries that are waiting. `halted` keeps them.'),
    halted: haltedInput,
  })
  .refine((input) => changeable.some((name) => input[name] !== undefined), {
    path: ['body'],
    error: `Give at least one of ${changeable.join(', ')}.`,
  })
  .meta({ id: 'UpdateWebhookInput' });

export const WebhookOutput = z
  .object({
    id: id('webhook subscription'),
    webinarId: id('webinar'),
    url: z.string().describe('The URL that deliveries are sent to.'),
    description: z.string().nullable().describe('A name for your own use. Null if there is none.'),
    eventTypes: z.array(subscribableEventType).describe('The event types that the subscription receives.'),
    active: z.boolean().describe('False: no events are delivered.'),
    halted,
    health: EndpointHealthOutput,
    secretLast4: z.string().describe('The last four characters of the secret.'),
    secretRotatedAt: instant(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Webhook' });

export const UpdatedWebhookOutput = WebhookOutput.extend({ cancelledDeliveries }).meta({
  id: 'UpdatedWebhook',
});

export const CreatedWebhookOutput = WebhookOutput.extend({
  secret: z
    .string()
    .describe('The secret that signs the deliveries of this subscription. It is returned only this once.'),
}).meta({ id: 'CreatedWebhook' });

export const TestWebhookInput = z
  .strictObject({
    ...WebhookInput.shape,
    eventType: subscribableEventType.describe('An event type of the subscription.'),
  })
  .meta({ id: 'TestWebhookInput' });
