import { createHmac } from 'node:crypto';
import { matchHmac, type RevenueProvider, type SignedRequest, type Verdict } from '../../provider.ts';
import { readStripeEvent, stripeEventTypes } from './read-event.ts';

/** Stripe switches off an endpoint that fails for days. So every signed event is answered 200. */
export const stripe: RevenueProvider = {
  name: 'stripe',
  secret: {
    madeBy: 'provider',
    pattern: /^whsec_[A-Za-z0-9+/=_-]{8,200}$/,
    hint: 'The signing secret of the endpoint at Stripe. It begins with whsec_.',
  },
  eventTypes: stripeEventTypes,
  verify: verifyStripe,
  read: readStripeEvent,
  refusesInvalid: false,
  answer: ({ kind, ...outcome }) => ({ status: 200, body: { received: true, status: kind, ...outcome } }),
  createTestEvent({ secret, eventId, now }) {
    const created = Math.floor(now.getTime() / 1000);
    const session = {
      id: eventId,
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      amount_total: 0,
      currency: 'eur',
      customer_details: { email: 'test@example.com' },
      client_reference_id: null,
      metadata: {},
      payment_intent: null,
      invoice: null,
    };
    const event = {
      id: eventId,
      object: 'event',
      type: 'checkout.session.completed',
      created,
      livemode: false,
      data: { object: session },
    };
    const body = Buffer.from(JSON.stringify(event));
    return { headers: { [stripeHeader]: signStripe(secret, { body, now }) }, body };
  },
};

// Stripe-Signature: t=<unix seconds>,v1=<hex>,v1=<hex>,... The signed text is `t`, a dot and the raw body; the key is the whole text
// of the secret. Other schemes (v0) are ignored. https://docs.stripe.com/webhooks#verify-manually

const stripeHeader = 'stripe-signature';

/** The tolerance of Stripe's libraries. They check only the past; a timestamp ahead would be valid for longer than this. */
const toleranceSeconds = 300;

/** While a secret is rolled, Stripe sends one signature for each secret. */
const signaturesMax = 10;

export function verifyStripe({ headers, body, keys, now }: SignedRequest): Verdict {
  const given = headers[stripeHeader];
  const { timestamp, signatures } = readHeader(String(given ?? ''));
  const keyIndex = matchHmac(keys, [`${timestamp ?? ''}.`, body], signatures);
  if (given === undefined) return { isValid: false, reason: 'missing_signature' };
  if (timestamp === undefined || signatures.length === 0)
    return { isValid: false, reason: 'malformed_signature' };
  if (keyIndex === -1) return { isValid: false, reason: 'wrong_signature' };
  const differenceSeconds = Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp));
  if (differenceSeconds > toleranceSeconds) return { isValid: false, reason: 'timestamp_out_of_range' };
  return { isValid: true, keyIndex };
}

interface StripeHeader {
  /** As it is written, because it is part of the signed text. */
  timestamp: string | undefined;
  signatures: Buffer[];
}

function readHeader(header: string): StripeHeader {
  let timestamp: string | undefined;
  const signatures: Buffer[] = [];
  for (const part of header.split(',')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === 't' && /^[0-9]{1,12}$/.test(value)) timestamp = value;
    if (name === 'v1' && /^[0-9a-f]{64}$/i.test(value) && signatures.length < signaturesMax)
      signatures.push(Buffer.from(value, 'hex'));
  }
  return { timestamp, signatures };
}

/** The header of a body, for test events. */
export function signStripe(secret: string, { body, now }: { body: Buffer; now: Date }): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body);
  return `t=${timestamp},v1=${hmac.digest('hex')}`;
}
