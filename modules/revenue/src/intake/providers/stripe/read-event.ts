// The facts of Stripe's events. Several events report one payment: a Checkout session, its invoice, its PaymentIntent and its
// charge. Each becomes a purchase with the names that it knows, and the ledger recognises them as one payment.
import { AppError, commonErrors } from '@service/errors';
import { parseInput } from '@service/trpc';
import type { z } from 'zod';
import { amountMinorMax } from '../../../ledger/money.ts';
import type { RevenueFact } from '../../../ledger/revenue-fact.ts';
import { isPlausibleTime, plausibleTimeText, toId } from '../../fields.ts';
import type { Reading } from '../../provider.ts';
import { stripeToMinor } from './amounts.ts';
import type { StripeEventType } from './event-types.ts';
import {
  Charge,
  CheckoutSession,
  Dispute,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  Refund,
  RefundedCharge,
  RefundedSum,
  StripeEvent,
} from './objects.ts';

type Event = z.output<typeof StripeEvent>;

/** Undefined for an object that is no revenue, such as a session that is not paid yet. */
type Part = Pick<
  RevenueFact,
  'objectId' | 'type' | 'amountMinor' | 'currency' | 'reverses' | 'kind' | 'isDifference'
> & {
  /** The id of the event when left out. One event may have several refunds. */
  eventId?: string;
  keys: readonly (string | null)[];
  /** Those of the keys that several payments may have. */
  joined?: readonly (string | null)[];
  email?: string | null | undefined;
  clickId?: string | null;
  registrationId?: string | null;
  /** Unix seconds. The time of the event when left out. */
  at?: number;
};

const readers: Readonly<
  Record<StripeEventType, (object: unknown, event: Event) => Part | Part[] | undefined>
> = {
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
  'charge.dispute.funds_reinstated': (object) => reverse('chargeback_reversal', parseInput(Dispute, object)),
  'charge.dispute.closed': readClosedDispute,
};

export function readStripeEvent(body: Buffer, { now }: { now: Date }): Reading {
  try {
    const event = parseInput(StripeEvent, parseJson(body));
    const reader = Object.hasOwn(readers, event.type) ? readers[event.type as StripeEventType] : undefined;
    const parts = [reader?.(event.data.object, event) ?? []].flat();
    const facts = parts.map((part) => toFact(event, part, now));
    return facts.length > 0 ? { kind: 'facts', facts } : { kind: 'ignored' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'invalid', reason: 'not_understood', error };
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}

function toFact(event: Event, { keys, joined, at, ...part }: Part, now: Date): RevenueFact {
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
  };
}

const distinct = (keys: readonly (string | null)[]): string[] => [
  ...new Set(keys.filter((key) => key !== null)),
];

function readSession(object: unknown): Part | undefined {
  const session = parseInput(CheckoutSession, object);
  const { amount_total: amountMinor, currency, mode, payment_status: status } = session;
  if (amountMinor === null || currency === null) return undefined;
  // A voucher over the whole price. A subscription without a payment is a trial.
  const isFree = status === 'no_payment_required' && mode === 'payment';
  if (status !== 'paid' && !isFree) return undefined;
  return {
    objectId: session.id,
    type: 'purchase',
    kind: 'checkout_session',
    amountMinor,
    currency,
    email: session.customer_details?.email ?? session.customer_email,
    keys: [session.id, session.payment_intent, session.invoice],
    joined: [session.id, session.invoice],
    ...attributionOf(session.metadata, session.client_reference_id),
  };
}

function readInvoice(object: unknown): Part | undefined {
  const invoice = parseInput(Invoice, object);
  // The invoice of a trial, which starts with a paid invoice of 0, and of a month without use.
  if (invoice.amount_paid === 0) return undefined;
  const subscription = invoice.parent?.subscription_details ?? invoice.subscription_details;
  return {
    objectId: invoice.id,
    type: 'purchase',
    kind: 'invoice',
    amountMinor: invoice.amount_paid,
    currency: invoice.currency,
    email: invoice.customer_email,
    keys: [invoice.payment_intent, invoice.charge, invoice.id],
    joined: [invoice.id],
    ...attributionOf({ ...subscription?.metadata, ...invoice.metadata }),
  };
}

function readInvoicePayment(object: unknown): Part | undefined {
  const { id, invoice, amount_paid: amountMinor, currency, payment } = parseInput(InvoicePayment, object);
  if (amountMinor === null) return undefined;
  const keys = [payment.payment_intent, payment.charge, invoice];
  return {
    objectId: id,
    type: 'purchase',
    kind: 'invoice_payment',
    amountMinor,
    currency,
    keys,
    joined: [invoice],
  };
}

function readPaymentIntent(object: unknown): Part {
  const intent = parseInput(PaymentIntent, object);
  const invoice = intent.invoice ?? intent.payment_details?.order_reference ?? null;
  return {
    objectId: intent.id,
    type: 'purchase',
    kind: 'payment_intent',
    amountMinor: intent.amount_received,
    currency: intent.currency,
    email: intent.receipt_email,
    keys: [intent.id, intent.latest_charge, invoice],
    joined: [invoice],
    ...attributionOf(intent.metadata),
  };
}

function readCharge(object: unknown): Part | undefined {
  const charge = parseInput(Charge, object);
  if (!charge.captured) return undefined;
  return {
    objectId: charge.id,
    type: 'purchase',
    kind: 'charge',
    amountMinor: charge.amount_captured,
    currency: charge.currency,
    email: charge.receipt_email ?? charge.billing_details?.email,
    keys: [charge.payment_intent, charge.id, charge.invoice],
    joined: [charge.invoice],
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

/** An object that takes money back: a refund or a dispute. */
type Adjustment = Omit<z.output<typeof Refund>, 'status' | 'reason'>;

const takeBack = (type: 'refund' | 'chargeback', object: Adjustment): Part => ({
  objectId: object.id,
  type,
  amountMinor: 0 - object.amount,
  currency: object.currency,
  keys: [object.payment_intent, object.charge],
  ...(type === 'refund' && { isDifference: false }),
  // The same in every event of this object.
  at: object.created,
});

const reverse = (type: 'refund_reversal' | 'chargeback_reversal', object: Adjustment): Part => ({
  objectId: object.id,
  type,
  amountMinor: object.amount,
  currency: object.currency,
  keys: [object.payment_intent, object.charge],
  ...(type === 'refund_reversal' && { isDifference: false }),
  reverses: object.id,
});

/**
 * API versions before 2024-10-28 may send no `refund.created` for a refund of a charge. Until 2022-11-15 the charge has its refunds.
 * Since then only the sums before and after it are known, and the refund is their difference. Later versions send the refund itself.
 * https://docs.stripe.com/changelog/acacia/2024-10-28/refund-webhook-update
 */
function readRefundedCharge(object: unknown, event: Event): Part | Part[] | undefined {
  const { captured, refunds } = parseInput(RefundedCharge, object);
  // A charge that was only reserved has a refund too when it is released.
  if (captured === false) return undefined;
  if (refunds && refunds.data.length > 0)
    return refunds.data
      .flatMap((refund) => readListedRefund(refund) ?? [])
      .map((part, index) => (index === 0 ? part : { ...part, eventId: `${event.id}:${part.objectId}` }));
  const before = event.data.previous_attributes?.amount_refunded;
  if (before === undefined || (event.api_version ?? '') >= '2024-10-28') return undefined;
  const charge = parseInput(RefundedSum, object);
  if (charge.amount_refunded <= before) return undefined;
  return {
    objectId: event.id,
    type: 'refund',
    amountMinor: before - charge.amount_refunded,
    currency: charge.currency,
    keys: [charge.payment_intent, charge.id],
    isDifference: true,
  };
}

/** A refund in the list of its charge. One that failed has an event of its own. */
function readListedRefund(object: unknown): Part | undefined {
  const { status } = parseInput(Refund, object);
  return status === 'failed' || status === 'canceled' ? undefined : readRefund(object);
}

/** The end of an authorization that was not captured in time. Nothing was paid. */
const isRelease = ({ reason }: z.output<typeof Refund>): boolean => reason === 'expired_uncaptured_charge';

function readRefund(object: unknown): Part | undefined {
  const refund = parseInput(Refund, object);
  return isRelease(refund) ? undefined : takeBack('refund', refund);
}

function readFailedRefund(object: unknown): Part | undefined {
  const refund = parseInput(Refund, object);
  return isRelease(refund) ? undefined : reverse('refund_reversal', refund);
}

function readRefundChange(object: unknown): Part | undefined {
  const { status } = parseInput(Refund, object);
  if (status === 'failed' || status === 'canceled') return readFailedRefund(object);
  // For a source whose `refund.created` was lost. The ledger has a refund once.
  return status === 'succeeded' ? readRefund(object) : undefined;
}

/** An inquiry (`warning_`) takes no money. https://docs.stripe.com/disputes/how-disputes-work#inquiries */
const isInquiry = ({ status }: z.output<typeof Dispute>): boolean => status.startsWith('warning_');

function readDispute(object: unknown): Part | undefined {
  const dispute = parseInput(Dispute, object);
  return isInquiry(dispute) ? undefined : takeBack('chargeback', dispute);
}

function readClosedDispute(object: unknown): Part | undefined {
  const dispute = parseInput(Dispute, object);
  if (dispute.status === 'won') return reverse('chargeback_reversal', dispute);
  // For a source whose `charge.dispute.created` was lost. The ledger has a dispute once.
  return dispute.status === 'lost' ? takeBack('chargeback', dispute) : undefined;
}
