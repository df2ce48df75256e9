import { allFailureReasons, failureReasons } from '@service/catalogue';
import { id, instant } from '@service/trpc';
import { z } from 'zod';

export const deliveryStatuses = [
  'queued',
  'delivering',
  'success',
  'retrying',
  'failure',
  'cancelled',
] as const;

const failureList = allFailureReasons
  .map((kind) => `\`${kind}\`: ${failureReasons[kind].description}`)
  .join('; ');

export const deliveryStatus = z.enum(deliveryStatuses).meta({
  id: 'DeliveryStatus',
  description:
    '`queued`: not tried yet. `delivering`: an attempt is in flight. `retrying`: an attempt failed, and another follows. `success`, ' +
    '`failure` and `cancelled` are final.',
});

/** `failing` is not a status of its own: it means those that have failed and may still be retried. */
const statusFilters = [...deliveryStatuses, 'failing'] as const;

const oneStatus = z.enum(statusFilters).meta({ id: 'DeliveryStatusFilter' });

/** One status or several. `failing` means retrying and failure. */
export const statusFilter = z
  .union([
    oneStatus,
    z.array(oneStatus).min(1).max(statusFilters.length).meta({ id: 'DeliveryStatusFilterList' }),
  ])
  .meta({
    id: 'DeliveryStatusFilters',
    description: 'One status or several. `failing` means `retrying` and `failure`.',
  });

const deliveryFailure = z.enum(allFailureReasons).meta({ id: 'DeliveryFailure' });

const result = {
  responseCode: z.int().nullable().describe('HTTP status of the last answer. Null when there was no answer.'),
  responseSnippet: z
    .string()
    .nullable()
    .describe(
      'The first 2 KB of the last answer. A receiver may repeat the message in it, so it needs the same scopes as the body.',
    ),
  failure: deliveryFailure
    .nullable()
    .describe(`The reason why the last attempt failed. Null after a success. ${failureList}.`),
};

export const healthStatuses = ['healthy', 'failing', 'paused'] as const;

/** Health of an endpoint. It never switches a subscription or a rule off. */
export const EndpointHealthOutput = z
  .object({
    status: z.enum(healthStatuses).meta({
      id: 'EndpointHealthStatus',
      description:
        'failing: the last three attempts failed, or more. paused: attempts failed for so long that deliveries wait until a ' +
        'probe succeeds.',
    }),
    failuresInARow: z
      .int()
      .describe('Failed attempts since the last success, from the first one on. Tests count, 429 does not.'),
    since: instant().nullable().describe('Time of the first of these failures. Null when there is none.'),
    nextProbeAt: instant().nullable().describe('Time of the next probe of a paused endpoint.'),
    lastFailure: deliveryFailure
      .nullable()
      .describe('The reason why the last attempt failed. Null after a success.'),
    lastResponseCode: z
      .int()
      .nullable()
      .describe('HTTP status of the last answer. Null when there was none.'),
    untriedSinceChange: z
      .boolean()
      .describe(
        'True if deliveries waited or failed when the URL was changed, and nothing was sent to the new one yet.',
      ),
  })
  .meta({
    id: 'EndpointHealth',
    description: 'The state of the endpoint: does it take deliveries?',
    examples: [
      {
        status: 'healthy',
        failuresInARow: 0,
        since: null,
        nextProbeAt: null,
        lastFailure: null,
        lastResponseCode: null,
        untriedSinceChange: false,
      },
    ],
  });

/** A delivery in a list of registrations or rules. */
export const DeliverySummary = z.object({
  id: id('delivery'),
  status: deliveryStatus,
  attempts: z.int().describe('Attempts made so far.'),
  attemptsMax: z
    .int()
    .describe('Tries of this delivery. An attempt that is answered with 429 spends no try.'),
  triesLeft: z.int().describe('Tries that are left. 0 when the delivery has ended.'),
  responseCode: result.responseCode,
  failure: result.failure,
  deliveredAt: instant().nullable().describe('The time of the successful attempt. Null without one.'),
  nextAttemptAt: instant()
    .nullable()
    .describe('Null while an attempt is in flight, and when there is no next attempt.'),
});

export const DeliveryOutput = DeliverySummary.extend({
  eventType: z.string().describe('The event type of the message.'),
  responseSnippet: result.responseSnippet,
  isRefire: z.boolean().describe('True for a redelivery.'),
  redeliveryOf: z.uuid().nullable().describe('For a redelivery: the first delivery of the same message.'),
  replacedBy: z
    .uuid()
    .nullable()
    .describe('The delivery that was sent instead, when this one was sent again while it was waiting.'),
  registrationId: z.uuid().nullable().describe('The registration that the event is about. Null for a test.'),
  durationMs: z
    .int()
    .nullable()
    .describe('Duration of the last attempt in milliseconds. Null before the first one.'),
  isTest: z.boolean().describe('True for a sample that was sent to test the endpoint. A test is tried once.'),
  createdAt: instant(),
}).meta({ id: 'Delivery' });

const milliseconds = (text: string) => z.int().nullable().describe(`Milliseconds ${text}.`);

const TimingsOutput = z
  .object({
    dnsMs: milliseconds('of the DNS query'),
    connectMs: milliseconds('to open the TCP connection'),
    tlsMs: milliseconds('of the TLS handshake'),
    firstByteMs: milliseconds('from the request to the first byte of the answer'),
  })
  .meta({
    id: 'AttemptTimings',
    description: 'The times of DNS, TCP and TLS are null on a reused connection.',
  });

export const AttemptOutput = z
  .object({
    number: z.int().describe('The number of the attempt, from 1.'),
    url: z.string().describe('The URL that the attempt was sent to.'),
    startedAt: instant(),
    durationMs: z.int().describe('Duration of the attempt in milliseconds.'),
    ...result,
    failureMessage: z
      .string()
      .nullable()
      .describe('Description of the failure. Null after a success and for `http_status`.'),
    timings: TimingsOutput,
    requestHeaders: z.record(z.string(), z.string()).describe('The headers as they were sent.'),
    responseHeaders: z
      .record(z.string(), z.string())
      .describe(
        'The headers of the answer, about 2 KB at most, without the values of cookies. Empty without an answer, and for attempts ' +
          'before 23 November 2026.',
      ),
    redirects: z.array(z.string()).describe('The URLs of the redirects that were followed, in order.'),
  })
  .meta({ id: 'Attempt' });

export const DeliveryDetailOutput = DeliveryOutput.extend({
  url: z.string().nullable().describe('URL of the endpoint. Null after the endpoint was deleted.'),
  body: z
    .string()
    .nullable()
    .describe(
      'The exact body: the same bytes on every try. Null for a key without `registrations:read`, and for one without `revenue:read` ' +
        'if the message is about a purchase or a refund. What the receiver answered is left out then too.',
    ),
  attemptLog: z.array(AttemptOutput).describe('The attempts, oldest first.'),
}).meta({ id: 'DeliveryDetail' });

export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type StatusFilter = z.infer<typeof statusFilter>;
export type EndpointHealthOutput = z.infer<typeof EndpointHealthOutput>;
export type DeliverySummary = z.infer<typeof DeliverySummary>;
export type DeliveryOutput = z.infer<typeof DeliveryOutput>;
export type DeliveryDetailOutput = z.infer<typeof DeliveryDetailOutput>;
/** With its body, which clients without the scopes for it do not see. */
export type DeliveryDetail = DeliveryDetailOutput & { body: string };
