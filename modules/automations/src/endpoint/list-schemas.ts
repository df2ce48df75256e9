// Inputs and outputs of the lists and searches of deliveries and endpoints, beyond those of one rule or subscription.
import {
  DeliveryDetailOutput,
  DeliveryHistogramOutput,
  DeliveryOutput,
  DeliverySummary,
  EndpointHealthOutput,
  EndpointStatisticsOutput,
} from '@service/deliveries';
import { forwards, id, instant, moment, pageInput, utcOffsetMinutes } from '@service/trpc';
import { z } from 'zod';
import { deliveryFilters, halted } from './schemas.ts';
import { eventType } from '../event-type/event-types.ts';

/** Narrows deliveries down to one webinar, or to one rule or subscription. Without both: those of the workspace. */
const sources = {
  webinarId: id('webinar').optional(),
  sourceId: id('rule or subscription').optional(),
};

export const SourceFilter = z.object(sources);

export const ListDeliveriesInput = forwards(
  z.strictObject({ ...sources, ...deliveryFilters, eventType: eventType.optional() }),
);

/** A rule or subscription, as lists name it. */
export const SourceOutput = z.object({
  kind: z.enum(['rule', 'webhook']),
  id: z.uuid(),
  webinarId: z.uuid(),
  /** The name of a rule, the description of a subscription. */
  name: z.string().nullable(),
  enabled: z.boolean(),
});

export const ListedDeliveryOutput = DeliveryOutput.extend({
  /** Null if it was deleted. */
  source: SourceOutput.nullable(),
});

const ranges = ['last_hour', 'last_24_hours', 'last_7_days', 'last_30_days', 'last_90_days'] as const;

export const HistogramInput = forwards(
  z.strictObject({
    ...sources,
    range: z.enum(ranges).default('last_24_hours'),
    /** `from` and `to` override the range. */
    from: moment.optional(),
    to: moment.optional(),
    utcOffsetMinutes,
  }),
);

export const HistogramOutput = DeliveryHistogramOutput;

const hourMs = 3_600_000;

const rangeMs: Record<(typeof ranges)[number], number> = {
  last_hour: hourMs,
  last_24_hours: 24 * hourMs,
  last_7_days: 7 * 24 * hourMs,
  last_30_days: 30 * 24 * hourMs,
  last_90_days: 90 * 24 * hourMs,
};

/** The time range of a histogram: 90 days at most, and not in the future. */
export function spanOf(
  { range, from, to }: Pick<z.output<typeof HistogramInput>, 'range' | 'from' | 'to'>,
  now: Date,
): { from: Date; to: Date } {
  const end = to === undefined ? now.getTime() : Math.min(Date.parse(to), now.getTime());
  const start = from === undefined ? now.getTime() - rangeMs[range] : Date.parse(from);
  const earliest = now.getTime() - rangeMs.last_90_days;
  const begin = Math.min(Math.max(start, earliest), end);
  return { from: new Date(begin), to: new Date(end) };
}

export const ListEndpointsInput = z.strictObject({
  webinarId: id('webinar')
    .optional()
    .describe('Only those of this webinar. The list is empty for an archived or unknown one.'),
  ...pageInput,
});

export const NewestDeliveriesInput = z.strictObject({ webinarId: id('webinar') });

/** The newest delivery of a rule or subscription. */
export const NewestDeliveryOutput = DeliveryOutput.pick({ id: true, status: true, createdAt: true }).extend({
  sourceId: z.uuid(),
});

export const EndpointOutput = z
  .object({
    kind: z.enum(['rule', 'subscription']).meta({
      id: 'WebhookEndpointKind',
      description: 'It belongs to an automation rule or to a webhook subscription.',
    }),
    id: z.uuid().describe('The id of the rule or subscription.'),
    webinarId: id('webinar'),
    webinarTitle: z.string().describe('The internal title of the webinar.'),
    name: z.string().nullable().describe('The name of a rule, the description of a subscription.'),
    url: z.string().describe('The URL that deliveries are sent to.'),
    eventTypes: z.array(eventType).describe('The event types that it receives.'),
    enabled: z.boolean().describe('False while the rule or subscription is switched off.'),
    halted,
    health: EndpointHealthOutput,
    createdAt: instant(),
    ...EndpointStatisticsOutput.shape,
  })
  .meta({ id: 'WebhookEndpoint' });

export const FindByIdInput = z.strictObject({ id: id('record') });

/** A rule or a subscription, with the delivery if the id was that of one. */
export const FoundSource = z.object({
  kind: z.enum(['rule', 'webhook']),
  id: z.uuid(),
  webinarId: z.uuid(),
  /** False for a rule without a webhook. */
  hasEndpoint: z.boolean(),
  deliveryId: z.uuid().nullable(),
});

export const RegistrationDeliveriesInput = z.strictObject({
  webinarId: id('webinar'),
  registrationIds: z.array(id('registration')).max(100),
});

const sourceName = z.string().describe('The rule that sent it, with its name at that time.');

export const RegistrationDeliveriesOutput = z.object({
  registrationId: z.uuid(),
  deliveries: z.array(
    DeliverySummary.extend({
      eventType: z.string(),
      sourceName,
      redeliveryOf: z.uuid().nullable().describe('The first delivery of the same message.'),
      createdAt: instant(),
    }),
  ),
});

export const WebinarDeliveryInput = z.strictObject({ webinarId: id('webinar'), deliveryId: id('delivery') });

/** Pages of the workspace know a delivery by its id alone. */
export const FindDeliveryInput = z.strictObject({
  webinarId: id('webinar').optional(),
  deliveryId: id('delivery'),
});

export const WebinarDeliveryOutput = DeliveryDetailOutput.extend({
  body: z.string(),
  webinarId: z.uuid(),
  executionId: z
    .uuid()
    .nullable()
    .describe('The execution that sent the message first. Null for a test, and when it is no longer kept.'),
  sourceName,
  source: z
    .object({
      kind: z.enum(['rule', 'webhook']),
      id: z.uuid(),
      webinarId: z.uuid(),
      name: z.string().nullable().describe('The name of a rule, the description of a subscription.'),
      enabled: z.boolean(),
    })
    .nullable()
    .describe('The rule or subscription that can send it again. Null if that was deleted.'),
});
