import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const paymentStates = ['paid', 'partially_refunded', 'refunded', 'charged_back'] as const;

export type PaymentState = (typeof paymentStates)[number];

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
