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

/** Why an attempt failed: the receiver's answer was not 2xx, or what happened on the way to it. */
export const deliveryFailures = [
  'http_status',
  'dns',
  'blocked_address',
  'connect',
  'tls',
  'timeout',
  'reset',
  'too_many_redirects',
  'invalid_redirect',
  'invalid_url',
] as const;

const result = {
  responseCode: z
    .number()
    .int()
    .nullable()
    .describe('HTTP status of the last answer; null when there was none.'),
  responseSnippet: z.string().nullable().describe('The first 2 KB of the last answer.'),
  failure: z.enum(deliveryFailures).nullable().describe('Why the last attempt failed.'),
};

export const healthStatuses = ['healthy', 'failing', 'paused'] as const;

/** How an endpoint fares. Never changes whether a subscription or rule is switched on. */
export const EndpointHealthOutput = z
  .object({
    status: z
      .enum(healthStatuses)
      .describe(
        'failing: its last attempts failed. paused: it failed for so long that deliveries are held until a probe succeeds.',
      ),
    failuresInARow: z.number().int(),
    since: instant().nullable().describe('When the first of these failures was.'),
    nextProbeAt: instant().nullable().describe('When a paused endpoint is tried next.'),
    lastFailure: z.enum(deliveryFailures).nullable(),
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

/** What a list of registrations or rules shows of a delivery. */
export const DeliverySummary = z.object({
  id: z.uuid(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int().describe('Attempts made so far.'),
  attemptsMax: z
    .number()
    .int()
    .describe('Tries it has; an attempt that the receiver put off (429) spends none.'),
  triesLeft: z.number().int().describe('Tries until it is given up; 0 once it has ended.'),
  responseCode: result.responseCode,
  failure: result.failure,
  deliveredAt: instant().nullable(),
  nextAttemptAt: instant()
    .nullable()
    .describe('Null while an attempt is under way and when there will be none.'),
});

export const DeliveryOutput = DeliverySummary.extend({
  eventType: z.string(),
  responseSnippet: result.responseSnippet,
  isRefire: z.boolean().describe('Whether somebody had it sent again.'),
  redeliveryOf: z.uuid().nullable().describe('The first delivery of what it repeats.'),
  isTest: z.boolean().describe('Whether it is a sample that somebody sent to try the endpoint.'),
  createdAt: instant(),
});

const milliseconds = z.number().int().nullable();

export const AttemptOutput = z.object({
  number: z.number().int(),
  url: z.string(),
  startedAt: instant(),
  durationMs: z.number().int(),
  ...result,
  failureMessage: z.string().nullable().describe('What went wrong on the way, in a sentence.'),
  timings: z
    .object({ dnsMs: milliseconds, connectMs: milliseconds, tlsMs: milliseconds, firstByteMs: milliseconds })
    .describe('DNS, TCP and TLS are null on a connection that was open already.'),
  requestHeaders: z.record(z.string(), z.string()).describe('As they were sent.'),
  redirects: z.array(z.string()).describe('The URLs that were followed, in order.'),
});

export const DeliveryDetailOutput = DeliveryOutput.extend({
  url: z.string().nullable().describe('Where it goes; null once the endpoint is removed.'),
  body: z.string().describe('The exact body, the same bytes on every try.'),
  attemptLog: z.array(AttemptOutput),
});

export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type DeliveryFailure = (typeof deliveryFailures)[number];
export type EndpointHealthOutput = z.infer<typeof EndpointHealthOutput>;
export type DeliverySummary = z.infer<typeof DeliverySummary>;
export type DeliveryOutput = z.infer<typeof DeliveryOutput>;
export type DeliveryDetailOutput = z.infer<typeof DeliveryDetailOutput>;
