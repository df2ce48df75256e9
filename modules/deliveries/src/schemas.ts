import { allDeliveryFailures, deliveryFailures } from '@service/catalogue';
import { instant } from '@service/trpc';
import { z } from 'zod';

export const deliveryStatuses = [
  'queued',
  'delivering',
  'success',
  'retrying',
  'failure',
  'cancelled',
] as const;

const failureList = allDeliveryFailures
  .map((kind) => `\`${kind}\`: ${deliveryFailures[kind].description}`)
  .join('; ');

const result = {
  responseCode: z
    .number()
    .int()
    .nullable()
    .describe('HTTP status of the last answer. Null when there was no answer.'),
  responseSnippet: z.string().nullable().describe('The first 2 KB of the last answer.'),
  failure: z
    .enum(allDeliveryFailures)
    .nullable()
    .describe(`The reason why the last attempt failed. Null after a success. ${failureList}.`),
};

export const healthStatuses = ['healthy', 'failing', 'paused'] as const;

/** Health of an endpoint. It never switches a subscription or a rule off. */
export const EndpointHealthOutput = z
  .object({
    status: z
      .enum(healthStatuses)
      .describe(
        'failing: the last attempts failed. paused: attempts failed for so long that deliveries wait until a probe succeeds.',
      ),
    failuresInARow: z.number().int(),
    since: instant().nullable().describe('Time of the first of these failures.'),
    nextProbeAt: instant().nullable().describe('Time of the next probe of a paused endpoint.'),
    lastFailure: z
      .enum(allDeliveryFailures)
      .nullable()
      .describe('The reason why the last attempt failed. Null while the endpoint is healthy.'),
    lastResponseCode: z.number().int().nullable(),
  })
  .meta({
    examples: [
      {
        status: 'healthy',
        failuresInARow: 0,
        since: null,
        nextProbeAt: null,
        lastFailure: null,
        lastResponseCode: null,
      },
    ],
  });

/** A delivery in a list of registrations or rules. */
export const DeliverySummary = z.object({
  id: z.uuid(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int().describe('Attempts made so far.'),
  attemptsMax: z
    .number()
    .int()
    .describe('Tries of this delivery. An attempt that is answered with 429 spends no try.'),
  triesLeft: z.number().int().describe('Tries that are left. 0 when the delivery has ended.'),
  responseCode: result.responseCode,
  failure: result.failure,
  deliveredAt: instant().nullable(),
  nextAttemptAt: instant()
    .nullable()
    .describe('Null while an attempt is in flight, and when there is no next attempt.'),
});

export const DeliveryOutput = DeliverySummary.extend({
  eventType: z.string(),
  responseSnippet: result.responseSnippet,
  isRefire: z.boolean().describe('True for a redelivery.'),
  redeliveryOf: z.uuid().nullable().describe('For a redelivery: the first delivery of the same message.'),
  isTest: z.boolean().describe('True for a sample that was sent to test the endpoint.'),
  createdAt: instant(),
});

const milliseconds = z.number().int().nullable();

export const AttemptOutput = z.object({
  number: z.number().int(),
  url: z.string(),
  startedAt: instant(),
  durationMs: z.number().int(),
  ...result,
  failureMessage: z
    .string()
    .nullable()
    .describe('Description of the failure. Null after a success and for `http_status`.'),
  timings: z
    .object({ dnsMs: milliseconds, connectMs: milliseconds, tlsMs: milliseconds, firstByteMs: milliseconds })
    .describe('The times of DNS, TCP and TLS are null on a reused connection.'),
  requestHeaders: z.record(z.string(), z.string()).describe('The headers as they were sent.'),
  redirects: z.array(z.string()).describe('The URLs of the redirects that were followed, in order.'),
});

export const DeliveryDetailOutput = DeliveryOutput.extend({
  url: z.string().nullable().describe('URL of the endpoint. Null after the endpoint was deleted.'),
  body: z.string().describe('The exact body: the same bytes on every try.'),
  attemptLog: z.array(AttemptOutput),
});

export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type { DeliveryFailure } from '@service/catalogue';
export type EndpointHealthOutput = z.infer<typeof EndpointHealthOutput>;
export type DeliverySummary = z.infer<typeof DeliverySummary>;
export type DeliveryOutput = z.infer<typeof DeliveryOutput>;
export type DeliveryDetailOutput = z.infer<typeof DeliveryDetailOutput>;
