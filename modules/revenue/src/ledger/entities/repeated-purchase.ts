import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * A later description of a purchase that the ledger has already, such as `charge.succeeded` after `checkout.session.completed`. It adds
 * no amount, but it may know the e-mail, the click or the registration that the first description lacked.
 */
export const RepeatedPurchase = defineEntity({
  name: 'RepeatedPurchase',
  tableName: 'repeated_purchase',
  schema: 'revenue',
  indexes: [{ name: 'repeated_purchase_payment_index', properties: ['accountId', 'paymentId'] }],
  properties: {
    accountId: p.uuid().primary(),
    provider: p.text().primary(),
    eventId: p.text().primary(),
    paymentId: p.uuid(),
    email: p.text().nullable(),
    clickId: p.text().nullable(),
    registrationId: p.text().nullable(),
    occurredAt: p.datetime(3),
    receivedAt: p.datetime(3),
  },
});
