import { defineEntity, p } from '@mikro-orm/postgresql';
import { purchaseKinds } from '../revenue-fact.ts';

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
