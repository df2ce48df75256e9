import {
  DeliveryDetailOutput,
  deliveryStatuses,
  DeliverySummary,
  recoverableStatuses,
} from '@service/deliveries';
import { id, instant, moment, pageInput } from '@service/trpc';
import { z } from 'zod';

/** What lists of deliveries can be narrowed down by, beside the event type. */
export const deliveryFilters = {
  status: z.enum(deliveryStatuses).optional(),
  from: moment.optional().describe('Made at this time or later.'),
  to: moment.optional().describe('Made before this time.'),
  ...pageInput,
};

/** The same, of an input that has been checked. */
export const DeliveryFilters = z.object({ ...deliveryFilters, eventType: z.string().optional() });

/** What a recovery takes, beside the event types. */
export const recoveryRequest = {
  since: moment
    .describe('Deliveries made at this time or later.')
    .meta({ examples: ['2026-11-20T09:00:00Z'] }),
  until: moment
    .optional()
    .describe('Deliveries made before this time: now when it is left out or in the future.'),
  statuses: z
    .array(z.enum(recoverableStatuses))
    .min(1)
    .max(10)
    .default(['failure'])
    .describe('How the deliveries ended.'),
};

/** The same, of an input that has been checked. */
export const RecoveryRequestFields = z.object({
  ...recoveryRequest,
  eventTypes: z.array(z.string()).optional(),
});

export const QueuedDeliveryOutput = z.object({
  id: z.uuid().describe('The id of the new delivery.'),
  status: z.literal('queued'),
});

export const RedeliveryOutput = QueuedDeliveryOutput.extend({
  redeliveryOf: z.uuid().describe('The first delivery of what is sent again.'),
});

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
      redeliveryOf: z.uuid().nullable().describe('The first delivery, which it repeats.'),
      createdAt: instant(),
    }),
  ),
});

export const WebinarDeliveryInput = z.strictObject({ webinarId: id('webinar'), deliveryId: id('delivery') });

export const WebinarDeliveryOutput = DeliveryDetailOutput.extend({
  sourceName,
  source: z
    .object({ kind: z.enum(['rule', 'webhook']), id: z.uuid(), enabled: z.boolean() })
    .nullable()
    .describe('The rule or subscription that sends it again; null once that is deleted.'),
});
