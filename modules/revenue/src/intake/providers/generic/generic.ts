// X-Service-Signature: sha256=<hex>, the HMAC-SHA256 of the raw body. The key is the whole text of the secret, like in the webhooks
// that the service sends.
import { AppError, commonErrors, type Issue } from '@service/errors';
import { signBody } from '@service/signing';
import { issuesOf } from '@service/trpc';
import { storable } from '@service/trpc/fields';
import { z } from 'zod';
import { amountMinorMax } from '../../../ledger/money.ts';
import type { RevenueFact } from '../../../ledger/revenue-fact.ts';
import {
  currencyText,
  emailText,
  idText,
  isPlausibleTime,
  matchHmac,
  plausibleTimeText,
  toId,
  type Reading,
  type RevenueProvider,
  type SignedRequest,
  type Verdict,
} from '../../provider.ts';
import { parseStrictJson, type StrictObject } from './strict-json.ts';

const header = 'x-service-signature';

const conflictText =
  'An event of this type with the same event_id and other content was stored before. It was kept, and this one was not stored.';

export const generic: RevenueProvider = {
  name: 'generic',
  secret: { madeBy: 'service' },
  eventTypes: [],
  verify,
  read,
  refusesInvalid: true,
  answer: (outcome) =>
    outcome.kind === 'stored'
      ? { status: 202, body: { status: 'accepted', id: outcome.id } }
      : {
          status: 200,
          body: {
            status: outcome.kind,
            ...('id' in outcome && { id: outcome.id }),
            ...(outcome.kind === 'conflict' && { message: conflictText }),
          },
        },
  createTestEvent({ secret, eventId, now }) {
    const body = Buffer.from(
      JSON.stringify({
        event_id: eventId,
        type: 'purchase',
        email: 'test@example.com',
        amount_minor: 0,
        currency: 'EUR',
        timestamp: now.toISOString(),
        original_transaction_id: null,
      }),
    );
    return { headers: { [header]: signBody(secret, body) }, body };
  },
};

function verify({ headers, body, keys }: SignedRequest): Verdict {
  const given = headers[header];
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(String(given ?? '').trim())?.[1];
  const signatures = hex === undefined ? [] : [Buffer.from(hex, 'hex')];
  const keyIndex = matchHmac(keys, [body], signatures);
  if (keyIndex !== -1) return { isValid: true, keyIndex };
  if (given === undefined) return { isValid: false, reason: 'missing_signature' };
  return { isValid: false, reason: hex === undefined ? 'malformed_signature' : 'wrong_signature' };
}

function read(body: Buffer, { now }: { now: Date }): Reading {
  try {
    return { kind: 'facts', facts: [payloadToFact(parseStrictJson(body, ['amount_minor']), now)] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'invalid', reason: error.kind === 'invalid' ? 'invalid_fields' : 'malformed_json', error };
  }
}

/** An id that helps attribution. A text that is no id is accepted, because the money counts in any case. */
const attributionId = storable(z.string().max(255, 'At most 255 characters.'))
  .nullish()
  .transform((text) => toId(text));

const amount = z
  .int('Must be an integer.')
  .min(-amountMinorMax, 'At most 12 digits.')
  .max(amountMinorMax, 'At most 12 digits.');

const amountOf = (type: unknown) =>
  type === 'purchase'
    ? amount.min(0, 'Zero or positive for a purchase.')
    : amount.max(0, 'Zero or negative for a refund or a chargeback.');

const timestampUntil = (now: Date) =>
  z.iso
    .datetime({
      offset: true,
      abort: true,
      error: 'An ISO 8601 time with its offset, such as 2026-12-01T09:00:00Z.',
    })
    .refine((text) => isPlausibleTime(Date.parse(text), now), plausibleTimeText);

const types = ['purchase', 'refund', 'chargeback'] as const;

const fields = {
  event_id: idText,
  type: z.enum(types),
  email: emailText,
  currency: currencyText,
  original_transaction_id: idText.nullish(),
  click_id: attributionId,
  registration_id: attributionId,
};

/**
 * The fact of a generic revenue payload. Unknown fields are ignored, because senders add their own. Throws validation_failed with
 * every problem.
 */
function payloadToFact({ object, issues }: StrictObject, now: Date): RevenueFact {
  const { type } = object;
  // The sign of an amount without a valid type is unknown, and the type is the problem then.
  const amountField = types.some((known) => known === type) ? amountOf(type) : amount;
  // One rule for each field: zod checks rules of several fields only when each field is valid.
  const schema = z.object({ ...fields, amount_minor: amountField, timestamp: timestampUntil(now) });
  const parsed = schema.safeParse(object);
  if (!parsed.success || issues.length > 0)
    throw commonErrors.validation_failed({ issues: joinIssues(issues, parsed.error) });
  const read = parsed.data;
  const original = read.original_transaction_id ?? null;
  const isPurchase = read.type === 'purchase';
  return {
    provider: 'generic',
    eventId: read.event_id,
    objectId: read.event_id,
    type: read.type,
    email: read.email,
    amountMinor: read.amount_minor,
    currency: read.currency,
    occurredAt: new Date(read.timestamp),
    // A refund under the id of its order names the order.
    paymentKeys: original === null || isPurchase ? [read.event_id] : [original, read.event_id],
    // Each renewal of a subscription may name its first transaction.
    ...(isPurchase && original !== null && { sharedKeys: [original] }),
    clickId: read.click_id,
    registrationId: read.registration_id,
  };
}

/** One problem for each field: a number that is not written as an integer would be named twice. */
function joinIssues(issues: readonly Issue[], error: z.ZodError | undefined): Issue[] {
  const known = new Set(issues.map(({ path }) => path));
  const others = error ? issuesOf(error).filter(({ path }) => !known.has(path)) : [];
  return [...issues, ...others];
}
