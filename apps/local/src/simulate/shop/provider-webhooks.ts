// The bodies that the two kinds of payment providers send, and their signatures. Written from the public descriptions and
// without code of the service, so that the simulator can judge it.
import { createHmac } from 'node:crypto';
import type { Fact, Order } from './order.ts';

export interface ProviderWebhook {
  door: 'generic' | 'stripe';
  eventId: string;
  body: string;
}

/** The webhooks of an order in the order of its life. A Stripe payment has three that describe the purchase. */
export const webhooksOf = (order: Order): ProviderWebhook[] =>
  order.plan.door === 'generic' ? genericWebhooks(order) : stripeWebhooks(order);

/** `X-Service-Signature`. The key is the text of the secret. */
export const genericSignature = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** `Stripe-Signature` (https://docs.stripe.com/webhooks#verify-manually). */
export function stripeSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

const secondMs = 1000;

/** Events of an order are a second apart, so that their order is known. */
const timeOf = ({ boughtAt }: Order, index: number): Date => new Date(boughtAt.getTime() + index * secondMs);

function genericWebhooks(order: Order): ProviderWebhook[] {
  const { id, facts, email, plan } = order;
  return facts.map(({ type, amountMinor }, index) => {
    const eventId = `${type}_${id}`;
    const body = JSON.stringify({
      event_id: eventId,
      email,
      amount_minor: amountMinor,
      currency: plan.price.currency,
      type,
      original_transaction_id: index === 0 ? null : `purchase_${id}`,
      timestamp: timeOf(order, index).toISOString(),
      ...(index === 0 && namesOf(order, { click: 'click_id', registration: 'registration_id' })),
    });
    return { door: 'generic', eventId, body };
  });
}

/** The id that names the buyer, under the field of the door. Empty where the e-mail address does. */
function namesOf(
  { names, clickId, attendee }: Order,
  fields: { click: string; registration: string },
): Record<string, string> {
  if (names === 'click') return { [fields.click]: clickId! };
  return names === 'registration' ? { [fields.registration]: attendee!.registrationId } : {};
}

function stripeWebhooks(order: Order): ProviderWebhook[] {
  const { id, email, plan } = order;
  const amount = plan.price.amountMinor;
  const currency = plan.price.currency.toLowerCase();
  const metadata = namesOf(order, { click: 'svc_click', registration: 'registration_id' });
  const payment = { payment_intent: `pi_${id}`, currency };
  const checkout = {
    id: `cs_${id}`,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    amount_total: amount,
    client_reference_id: order.names === 'email' ? null : Object.values(metadata)[0],
    customer_details: { email },
    invoice: null,
    metadata,
    ...payment,
  };
  const intent = {
    id: `pi_${id}`,
    object: 'payment_intent',
    status: 'succeeded',
    amount,
    amount_received: amount,
    currency,
    latest_charge: `ch_${id}`,
    receipt_email: email,
    metadata,
  };
  const charge = {
    id: `ch_${id}`,
    object: 'charge',
    status: 'succeeded',
    paid: true,
    captured: true,
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    billing_details: { email },
    receipt_email: email,
    metadata,
    ...payment,
  };
  const purchase = [
    stripeWebhook(order, { type: 'payment_intent.succeeded', at: 0, object: intent }),
    stripeWebhook(order, { type: 'charge.succeeded', at: 0, object: charge }),
    stripeWebhook(order, { type: 'checkout.session.completed', at: 0, object: checkout }),
  ];
  const later = order.facts
    .slice(1)
    .map((fact, index) => stripeWebhook(order, { ...stripeChange(order, fact), at: index + 1 }));
  return [...purchase, ...later];
}

function stripeChange(
  { id, plan }: Order,
  { type, amountMinor }: Fact,
): { type: string; object: Record<string, unknown> } {
  const shared = {
    amount: Math.abs(amountMinor),
    currency: plan.price.currency.toLowerCase(),
    charge: `ch_${id}`,
    payment_intent: `pi_${id}`,
    metadata: {},
  };
  const refund = (status: string) => ({ id: `re_${id}`, object: 'refund', status, ...shared });
  const dispute = (status: string) => ({ id: `dp_${id}`, object: 'dispute', status, ...shared });
  if (type === 'refund') return { type: 'refund.created', object: refund('succeeded') };
  if (type === 'refund_reversal') return { type: 'refund.failed', object: refund('failed') };
  if (type === 'chargeback') return { type: 'charge.dispute.created', object: dispute('needs_response') };
  return { type: 'charge.dispute.closed', object: dispute('won') };
}

function stripeWebhook(
  order: Order,
  { type, at, object }: { type: string; at: number; object: Record<string, unknown> },
): ProviderWebhook {
  const created = Math.floor(timeOf(order, at).getTime() / secondMs);
  const eventId = `evt_${type.replaceAll('.', '_')}_${order.id}`;
  const body = JSON.stringify({
    id: eventId,
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: { ...object, created } },
  });
  return { door: 'stripe', eventId, body };
}
