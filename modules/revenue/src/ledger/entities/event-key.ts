import { defineEntity, p } from '@mikro-orm/postgresql';

/** `payment` and `shared` are the names of a purchase, `adjustment` those that a refund, a chargeback or a reversal gave. */
export const eventKeyKinds = ['payment', 'shared', 'adjustment'] as const;

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
