import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { paymentStates, type PaymentState, type RevenueEventType } from '@service/catalogue';
import { purchaseKinds } from './revenue-fact.ts';

/**
 * A purchase and the sums of what was taken back from it. Its facts join those of all descriptions of the same payment: `occurredAt` is
 * the earliest, the e-mail, click and registration are those of the earliest description that has them, and amount and currency are
 * those of the most reliable one.
 */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  schema: 'revenue',
  indexes: [
    {
      name: 'payment_email_index',
      properties: ['accountId', 'email', 'currency', 'provider', 'occurredAt'],
      where: 'email is not null',
    },
    { name: 'payment_state_index', properties: ['accountId', 'state', 'occurredAt', 'id'] },
    { name: 'payment_occurred_index', properties: ['accountId', 'occurredAt', 'id'] },
    {
      name: 'payment_joinable_index',
      properties: ['accountId', 'provider', 'joinableUntil'],
      where: 'joinable_until is not null',
    },
    { name: 'payment_lead_index', properties: ['accountId', 'leadId'], where: 'lead_id is not null' },
  ],
  properties: {
    accountId: p.uuid().primary(),
    /** The id of the purchase's revenue event. */
    id: p.uuid().primary(),
    provider: p.text(),
    email: p.text().nullable(),
    currency: p.text(),
    amountMinor: p.bigint('number'),
    refundedMinor: p.bigint('number'),
    chargedBackMinor: p.bigint('number'),
    state: p.enum(paymentStates),
    /** More was refunded and charged back than was paid. */
    overRefunded: p.boolean(),
    occurredAt: p.datetime(3),
    /** The first of its names in the order of UTF-16. Decides between purchases of the same moment. */
    firstKey: p.text(),
    clickId: p.text().nullable(),
    registrationId: p.text().nullable(),
    /** Of an invoice that is paid in parts, the first of its payments. Null for that one, and for a payment that is alone. */
    leadId: p.uuid().nullable(),
    /** Until then rules wait for the invoice that may join the payment. Null when nothing can join it any more. */
    joinableUntil: p.datetime(3).nullable(),
  },
});

export type Payment = InferEntity<typeof Payment>;

/** The sums of a payment: what was paid, refunded and charged back, in minor units. */
interface PaymentSums {
  amountMinor: number;
  refundedMinor: number;
  chargedBackMinor: number;
}

/** A chargeback that stands wins over refunds. A refund that was taken back counts as none. */
export function stateOfPayment({ amountMinor, refundedMinor, chargedBackMinor }: PaymentSums): PaymentState {
  if (chargedBackMinor > 0) return 'charged_back';
  if (refundedMinor <= 0) return 'paid';
  return refundedMinor < amountMinor ? 'partially_refunded' : 'refunded';
}

/** True when more was taken back than was paid. Amounts are never clipped, so the sums show by how much. */
export const isOverRefunded = ({ amountMinor, refundedMinor, chargedBackMinor }: PaymentSums): boolean =>
  refundedMinor + chargedBackMinor > amountMinor;

/** Adds an adjustment to its payment. With `sign` -1: removes it, when it is paired with another payment. */
export function addToSums(
  sums: PaymentSums,
  { type, countedMinor }: { type: RevenueEventType; countedMinor: number },
  sign: 1 | -1 = 1,
): void {
  const taken = -countedMinor * sign;
  if (type === 'refund' || type === 'refund_reversal') sums.refundedMinor += taken;
  if (type === 'chargeback' || type === 'chargeback_reversal') sums.chargedBackMinor += taken;
}

/** `payment` and `shared` are the names of a purchase, `adjustment` those that a refund, a chargeback or a reversal gave. */
const eventKeyKinds = ['payment', 'shared', 'adjustment'] as const;

export type EventKeyKind = (typeof eventKeyKinds)[number];

/**
 * The provider's names of payments. Later descriptions of a purchase add theirs, while its row in the ledger stays as it is. At most
 * one payment has a name of the kind `payment`.
 */
export const EventKey = defineEntity({
  name: 'RevenueEventKey',
  tableName: 'event_key',
  schema: 'revenue',
  indexes: [{ name: 'event_key_event_index', properties: ['accountId', 'revenueEventId'] }],
  properties: {
    accountId: p.uuid().primary(),
    key: p.text().primary(),
    provider: p.text().primary(),
    /** The id of the payment, or of the adjustment's revenue event. */
    revenueEventId: p.uuid().primary(),
    kind: p.enum(eventKeyKinds),
  },
});

/**
 * A provider's description of a purchase. Stripe describes one payment by several objects, such as its charge, its PaymentIntent, its
 * invoice and its Checkout session. The payment has the facts of all of them. `unknown` is for descriptions that were recorded before
 * their kind and amount were kept.
 */
export const PurchaseDescription = defineEntity({
  name: 'PurchaseDescription',
  tableName: 'purchase_description',
  schema: 'revenue',
  indexes: [{ name: 'purchase_description_payment_index', properties: ['accountId', 'paymentId'] }],
  properties: {
    accountId: p.uuid().primary(),
    provider: p.text().primary(),
    eventId: p.text().primary(),
    /** Of an invoice that is paid in parts: one of its payments. */
    paymentId: p.uuid(),
    objectId: p.text(),
    kind: p.enum(purchaseKinds),
    /** Null for the kind `unknown`. */
    amountMinor: p.bigint('number').nullable(),
    currency: p.text().nullable(),
    /** The names of the payment itself. */
    ownKeys: p.array(),
    /** The names of an invoice or a session, which several payments may have. */
    joinedKeys: p.array(),
    /** The subscription, whose payments are no descriptions of each other. */
    sharedKeys: p.array(),
    /** An invoice, or the payment of one, may still join it. */
    mayBeJoined: p.boolean().default(false),
    email: p.text().nullable(),
    clickId: p.text().nullable(),
    registrationId: p.text().nullable(),
    occurredAt: p.datetime(3),
    receivedAt: p.datetime(3),
  },
});
