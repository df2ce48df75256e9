import { DeliveryDetailOutput, deliveryStatuses, DeliverySummary } from '@service/deliveries';
import { id, instant, pageInput } from '@service/trpc';
import { z } from 'zod';
import { allEventTypes } from '../event/event-types.ts';

const moment = (what: string) =>
  z.iso
    .datetime({ offset: true, error: 'An ISO 8601 time with its offset, such as 2026-12-01T09:00:00Z.' })
    .optional()
    .describe(what);

/** What lists of deliveries can be narrowed down by. */
export const deliveryFilters = {
  status: z.enum(deliveryStatuses).optional(),
  eventType: z.enum(allEventTypes).optional(),
  from: moment('Made at this time or later.'),
  to: moment('Made before this time.'),
  ...pageInput,
};

export const RedeliveryOutput = z.object({
  id: z.uuid().describe('The id of the new delivery.'),
  status: z.literal('queued'),
  redeliveryOf: z.uuid().describe('The delivery that is sent again.'),
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
      createdAt: instant(),
    }),
  ),
});

export const WebinarDeliveryInput = z.strictObject({ webinarId: id('webinar'), deliveryId: id('delivery') });

export const WebinarDeliveryOutput = DeliveryDetailOutput.extend({ sourceName });
