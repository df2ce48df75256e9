// X-Service-Signature: sha256=<hex>, the HMAC-SHA256 of the raw body. The key is the whole text of the secret, like in the webhooks
// that the service sends.
import { AppError, commonErrors, type Issue } from '@service/errors';
import { signBody } from '@service/signing';
import { issuesOf } from '@service/trpc';
import { isoTime, storable } from '@service/trpc/fields';
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

export const conflictText =
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
    return { kind: 'facts', facts: [objectToFact(parseStrictJson(body, integerFields), now)] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'invalid', reason: error.kind === 'invalid' ? 'invalid_fields' : 'malformed_json', error };
  }
}

/** The fields of the payload that must be written as integers. */
export const integerFields = ['amount_minor'];

/** An id that helps attribution. A text that is no id is accepted, because the money counts in any case. */
const attributionId = storable(z.string().max(255, 'At most 255 characters.'))
  .nullish()
  .transform((text) => toId(text));

const types = ['purchase', 'refund', 'chargeback'] as const;

interface Signed {
  type?: unknown;
  amount_minor?: unknown;
}

/** Also checked when other fields are not valid, so that every problem is named. No field may have `abort`. */
const hasRightSign = ({ type, amount_minor: amount }: Signed, isPurchase: boolean): boolean => {
  const isOther = isPurchase ? type !== 'purchase' : type !== 'refund' && type !== 'chargeback';
  return isOther || typeof amount !== 'number' || (isPurchase ? amount >= 0 : amount <= 0);
};
const always = {
  path: ['amount_minor'],
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

/** The generic payload. Unknown fields are ignored, because senders add their own. `now` is asked for each event. */
const registrationText =
  'The id of a registration of the buyer, if you know it. It finds the buyer, also under another address. What the buyer did last before ' +
  'the purchase gets the credit, so that may be another registration of theirs.';

export const genericPayload = (now: () => Date) =>
  z
    .object({
      event_id: idText.describe(
        'Your unique id of the event, such as `order_1001:paid`. An event is stored once for each `type`.',
      ),
      type: z.enum(types).meta({ id: 'RevenuePayloadType', description: 'The event of the payment.' }),
      email: emailText.meta({ description: 'The e-mail address of the buyer.', format: 'email' }),
      amount_minor: z
        .int('Must be an integer.')
        .min(-amountMinorMax, 'At most 12 digits.')
        .max(amountMinorMax, 'At most 12 digits.')
        .describe(
          'In minor units of the currency. Zero or positive for a purchase, zero or negative for a refund or a chargeback.',
        ),
      currency: currencyText.describe('Three letters of ISO 4217.'),
      timestamp: isoTime
        .refine((text) => {
          const atMs = Date.parse(text);
          return Number.isNaN(atMs) || isPlausibleTime(atMs, now());
        }, plausibleTimeText)
        .describe(`ISO 8601 with its UTC offset. ${plausibleTimeText}`),
      original_transaction_id: idText
        .nullish()
        .describe(
          'For a refund or a chargeback: the `event_id` of the purchase, which may arrive later. Without it the purchase is found by ' +
            'e-mail, currency and time. For a renewal of a subscription: the `event_id` of its first purchase.',
        ),
      click_id: attributionId.describe('The `svc_click` that the link of an offer has added to your URL.'),
      registration_id: attributionId.describe(registrationText),
    })
    .refine((payload) => hasRightSign(payload, true), {
      ...always,
      error: 'Zero or positive for a purchase.',
    })
    .refine((payload) => hasRightSign(payload, false), {
      ...always,
      error: 'Zero or negative for a refund or a chargeback.',
    });

export type GenericPayload = z.output<ReturnType<typeof genericPayload>>;

/** The fact of a body. Throws validation_failed with every problem. */
function objectToFact({ object, issues }: StrictObject, now: Date): RevenueFact {
  const parsed = genericPayload(() => now).safeParse(object);
  if (!parsed.success || issues.length > 0)
    throw commonErrors.validation_failed({ issues: joinIssues(issues, parsed.error, object) });
  return payloadToFact(parsed.data);
}

export function payloadToFact(payload: GenericPayload): RevenueFact {
  const original = payload.original_transaction_id ?? null;
  const isPurchase = payload.type === 'purchase';
  return {
    provider: 'generic',
    eventId: payload.event_id,
    objectId: payload.event_id,
    type: payload.type,
    email: payload.email,
    amountMinor: payload.amount_minor,
    currency: payload.currency,
    occurredAt: new Date(payload.timestamp),
    // A refund under the id of its order names the order.
    paymentKeys: original === null || isPurchase ? [payload.event_id] : [original, payload.event_id],
    // Each renewal of a subscription may name its first transaction.
    ...(isPurchase && original !== null && { sharedKeys: [original] }),
    clickId: payload.click_id,
    registrationId: payload.registration_id,
  };
}

/** One problem for each field: a number that is not written as an integer would be named twice. */
function joinIssues(issues: readonly Issue[], error: z.ZodError | undefined, input: unknown): Issue[] {
  const known = new Set(issues.map(({ path }) => path));
  const others = error ? issuesOf(error, { input }).filter(({ path }) => !known.has(path)) : [];
  return [...issues, ...others];
}
