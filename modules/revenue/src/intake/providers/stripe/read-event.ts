// The facts of Stripe's events. Several events report one payment: a Checkout session, its invoice, its PaymentIntent and its
// charge. Each becomes a purchase with the names that it knows, and the ledger recognises them as one payment.
import { currencyDigits } from '@service/catalogue';
import { AppError, commonErrors } from '@service/errors';
import { requireShallow } from '@service/rest';
import { parseInput } from '@service/trpc';
import { amountMinorMax } from '../../../ledger/money.ts';
import type { PurchaseKind, RevenueFact } from '../../../ledger/revenue-fact.ts';
import { isPlausibleTime, plausibleTimeText, toId, type Reading } from '../../provider.ts';
import { Charge, CheckoutSession, Invoice, InvoicePayment, PaymentIntent, StripeEvent } from './objects.ts';
import type { Event, Part } from './objects.ts';
import {
  readClosedDispute,
  readDispute,
  readFailedRefund,
  readRefund,
  readRefundChange,
  readRefundedCharge,
  readReinstatedFunds,
} from './read-adjustment.ts';

/** By the type of the event. Undefined for an object that is no revenue, such as a session that is not paid yet. */
const readers: Readonly<Record<string, (object: unknown, event: Event) => Part | Part[] | undefined>> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'invoice.paid': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'payment_intent.succeeded': readPaymentIntent,
  'charge.succeeded': readCharge,
  'charge.captured': readCharge,
  'charge.refunded': readRefundedCharge,
  'refund.created': readRefund,
  'refund.updated': readRefundChange,
  'charge.refund.updated': readRefundChange,
  'refund.failed': readFailedRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readReinstatedFunds,
  'charge.dispute.closed': readClosedDispute,
};

/** The types of Stripe's events that are read. An owner selects them at Stripe, so the dashboard lists them. */
export const stripeEventTypes = Object.keys(readers);

export function readStripeEvent(body: Buffer, { now }: { now: Date }): Reading {
  try {
    const event = parseInput(StripeEvent, parseJson(body));
    const reader = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
    const parts = [reader?.(event.data.object, event) ?? []].flat();
    const facts = parts.map((part) => toFact(event, part, now));
    return facts.length > 0 ? { kind: 'facts', facts } : { kind: 'ignored' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'invalid', reason: 'not_understood', error };
  }
}

function parseJson(body: Buffer): unknown {
  requireShallow(body);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}

function toFact(event: Event, { keys, joined, subscription, at, ...part }: Part, now: Date): RevenueFact {
  const occurredAt = new Date((at ?? event.created) * 1000);
  if (!isPlausibleTime(occurredAt.getTime(), now))
    throw commonErrors.validation_failed({ issues: [{ path: 'created', message: plausibleTimeText }] });
  const amountMinor = stripeToMinor(part.amountMinor, part.currency);
  if (Math.abs(amountMinor) > amountMinorMax)
    throw commonErrors.validation_failed({ issues: [{ path: 'amount', message: 'At most 12 digits.' }] });
  return {
    provider: 'stripe',
    eventId: event.id,
    email: null,
    clickId: null,
    registrationId: null,
    ...part,
    ...(part.email === undefined && { email: null }),
    amountMinor,
    occurredAt,
    paymentKeys: distinct(keys),
    ...(joined && { joinedKeys: distinct(joined) }),
    ...(subscription && { sharedKeys: [subscription] }),
  };
}

const distinct = (keys: readonly (string | null)[]): string[] => [
  ...new Set(keys.filter((key) => key !== null)),
];

const purchaseOf = (
  kind: PurchaseKind,
  { id: objectId, currency }: { id: string; currency: string },
  amountMinor: number,
) => ({ objectId, type: 'purchase' as const, kind, amountMinor, currency });

function readSession(object: unknown, event: Event): Part | undefined {
  const session = parseInput(CheckoutSession, object);
  const { amount_total: amountMinor, currency, mode, payment_status: status } = session;
  if (amountMinor === null || currency === null) return undefined;
  // A voucher over the whole price. A subscription without a payment is a trial.
  const isFree = status === 'no_payment_required' && mode === 'payment';
  if (status !== 'paid' && !isFree) return undefined;
  return {
    ...purchaseOf('checkout_session', { id: session.id, currency }, amountMinor),
    email: session.customer_details?.email ?? session.customer_email,
    keys: [session.id, session.payment_intent, session.invoice],
    joined: [session.id, session.invoice],
    mayBeJoined: isUnlinked(event) && session.payment_intent === null && session.invoice !== null,
    subscription: session.subscription,
    ...attributionOf(session.metadata, session.client_reference_id),
  };
}

/** Since 2025 a charge names no invoice and an invoice no payment: only `invoice_payment.paid` names both. */
const isUnlinked = ({ api_version: version }: Event): boolean => (version ?? '') >= '2025-03-31';

function readInvoice(object: unknown, event: Event): Part | undefined {
  const invoice = parseInput(Invoice, object);
  // The invoice of a trial, which starts with a paid invoice of 0, and of a month without use.
  if (invoice.amount_paid === 0) return undefined;
  const details = invoice.parent?.subscription_details;
  return {
    ...purchaseOf('invoice', invoice, invoice.amount_paid),
    email: invoice.customer_email,
    keys: [invoice.payment_intent, invoice.charge, invoice.id],
    joined: [invoice.id],
    mayBeJoined:
      isUnlinked(event) &&
      invoice.payment_intent === null &&
      invoice.charge === null &&
      invoice.paid_out_of_band !== true,
    subscription: details?.subscription ?? invoice.subscription,
    ...attributionOf({ ...(details ?? invoice.subscription_details)?.metadata, ...invoice.metadata }),
  };
}

function readInvoicePayment(object: unknown): Part | undefined {
  const paid = parseInput(InvoicePayment, object);
  if (paid.amount_paid === null) return undefined;
  const { invoice, payment } = paid;
  const keys = [payment.payment_intent, payment.charge, invoice];
  return { ...purchaseOf('invoice_payment', paid, paid.amount_paid), keys, joined: [invoice] };
}

function readPaymentIntent(object: unknown, event: Event): Part {
  const intent = parseInput(PaymentIntent, object);
  const invoice = intent.invoice ?? intent.payment_details?.order_reference ?? null;
  return {
    ...purchaseOf('payment_intent', intent, intent.amount_received),
    email: intent.receipt_email,
    keys: [intent.id, intent.latest_charge, invoice],
    joined: [invoice],
    mayBeJoined: isUnlinked(event) && invoice === null,
    ...attributionOf(intent.metadata),
  };
}

function readCharge(object: unknown, event: Event): Part | undefined {
  const charge = parseInput(Charge, object);
  if (!charge.captured) return undefined;
  return {
    ...purchaseOf('charge', charge, charge.amount_captured),
    email: charge.receipt_email ?? charge.billing_details?.email,
    keys: [charge.payment_intent, charge.id, charge.invoice],
    joined: [charge.invoice],
    mayBeJoined: isUnlinked(event) && charge.invoice === null,
    ...attributionOf(charge.metadata),
  };
}

/** The click or the registration that a shop has passed on. A `client_reference_id` may be either. */
function attributionOf(
  metadata: Record<string, unknown> | null | undefined,
  clientReferenceId?: unknown,
): Pick<Part, 'clickId' | 'registrationId'> {
  const reference = toId(clientReferenceId);
  return {
    clickId: toId(metadata?.['svc_click']) ?? reference,
    registrationId: toId(metadata?.['registration_id']) ?? reference,
  };
}

/** Currencies whose amounts Stripe writes with other digits than ISO 4217. https://docs.stripe.com/currencies#special-cases */
const stripeDigits: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** An amount of Stripe in minor units of ISO 4217: 500 of ISK is 5. */
function stripeToMinor(amount: number, currency: string): number {
  const digits = stripeDigits.get(currency);
  return digits === undefined ? amount : Math.round(amount * 10 ** (currencyDigits(currency) - digits));
}
