import { ErrorIssue, id, instant, pageInput } from '@service/trpc';
import { z } from 'zod';
import { refusalReasons } from '../provider.ts';

const reason = z.enum(refusalReasons);

export const RevenueSourceOutput = z.object({
  provider: z.string(),
  /** The address that receives its events. */
  url: z.string(),
  secretMadeBy: z.enum(['service', 'provider']),
  /** The form of a secret that is pasted. Null for a secret that the service makes. */
  secretHint: z.string().nullable(),
  /** To select at the provider. Empty: there is no choice. */
  eventTypes: z.array(z.string()),
  /** Null until the source has a secret. Its address refuses every event then. */
  secretLast4: z.string().nullable(),
  createdAt: instant().nullable(),
  /** Until then the secret before the last rotation is valid too. */
  previousSecretUntil: instant().nullable(),
  lastReceivedAt: instant().nullable(),
  lastRefusedAt: instant().nullable(),
  lastRefusedReason: reason.nullable(),
  /** An event id was repeated with other content. The first content was kept. */
  lastConflictAt: instant().nullable(),
  lastConflictEventId: z.string().nullable(),
  /**
   * Of the last 100 payments that an invoice could have joined: invoices whose payment no event has named. They count beside their
   * payments.
   */
  invoicesWithoutPayment: z.number(),
  /** On this UTC day. */
  today: z.object({ accepted: z.number(), duplicates: z.number(), ignored: z.number(), refused: z.number() }),
});

export type RevenueSourceOutput = z.output<typeof RevenueSourceOutput>;

/** A new secret. No other answer contains it. */
export const SourceSecretOutput = z.object({ secret: z.string(), secretLast4: z.string() });

const provider = z.string().max(50);

export const SourceInput = z.strictObject({ provider });
export const OwnSourceInput = z.strictObject({ provider: provider.default('generic') });
/** The hours for which a replaced secret is still valid. */
const overlapChoices = [0, 1, 24] as const;

export const RotateSourceInput = z.strictObject({
  provider: provider.default('generic'),
  overlapHours: z.literal(overlapChoices),
});
export const SetSourceSecretInput = z.strictObject({ provider, secret: z.string().trim().max(250) });

/** A test event, to be posted to `path` of this service with these headers and exactly this body. */
export const SignedTestOutput = z.object({
  /** `test_` and a UUID. */
  eventId: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

export const RefusedEventOutput = z.object({
  id: z.uuid(),
  provider: z.string(),
  reason,
  issues: z.array(ErrorIssue),
  /** Bytes of the body. */
  size: z.number(),
  receivedAt: instant(),
});

/** The body, as text; bytes that are not UTF-8 are replaced. */
export const RefusedEventDetail = RefusedEventOutput.extend({ body: z.string() });

export const ListRefusedInput = z.strictObject({ ...pageInput, provider: provider.optional() });
export const RefusedEventInput = z.strictObject({ id: id('refused event') });
