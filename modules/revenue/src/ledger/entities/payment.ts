import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const paymentStates = ['paid', 'partially_refunded', 'refunded', 'charged_back'] as const;

export type PaymentState = (typeof paymentStates)[number];

/**
 * A purchase and the sums of what was taken back from it. Its facts join those of all descriptions of the same payment: `occurredAt` is
 * the earliest, and the e-mail, click and registration are those of the earliest description that has them.
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
  ],
  properties: {
    accountId: p.uuid().primary(),
    /** The id of the purchase's revenue event. */
    id: p.uuid().primary(),
    provider: p.text(),
    email: p.text().nullable(),
    currency: p.text(),
    amountMinor: p.bigint('number'),
    /** Not negative as a rule: it is while a refund's reversal has arrived and the refund has not. */
    refundedMinor: p.bigint('number'),
    /** As `refundedMinor`, for chargebacks. */
    chargedBackMinor: p.bigint('number'),
    state: p.enum(paymentStates),
    /** More was refunded and charged back than was paid. */
    overRefunded: p.boolean(),
    occurredAt: p.datetime(3),
    /** The first of its names in the order of UTF-16. Decides between purchases of the same moment. */
    firstKey: p.text(),
    clickId: p.text().nullable(),
    registrationId: p.text().nullable(),
  },
});

export type Payment = InferEntity<typeof Payment>;
