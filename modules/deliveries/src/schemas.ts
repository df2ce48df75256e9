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

/** What a list of registrations or rules shows of a delivery. */
export const DeliverySummary = z.object({
  id: z.uuid(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int().describe('Attempts made so far.'),
  attemptsMax: z.number().int(),
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
  redeliveryOf: z.uuid().nullable().describe('The delivery it repeats.'),
  createdAt: instant(),
});

export const AttemptOutput = z.object({
  number: z.number().int(),
  url: z.string(),
  startedAt: instant(),
  durationMs: z.number().int(),
  ...result,
  failureMessage: z.string().nullable().describe('What went wrong on the way, in a sentence.'),
});

export const DeliveryDetailOutput = DeliveryOutput.extend({
  url: z.string().nullable().describe('Where it goes; null once the endpoint is removed.'),
  body: z.string().describe('The exact body, the same bytes on every try.'),
  attemptLog: z.array(AttemptOutput),
});

export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type DeliveryFailure = (typeof deliveryFailures)[number];
export type DeliverySummary = z.infer<typeof DeliverySummary>;
export type DeliveryOutput = z.infer<typeof DeliveryOutput>;
export type DeliveryDetailOutput = z.infer<typeof DeliveryDetailOutput>;
