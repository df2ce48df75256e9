import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { revenueEventTypes } from '../revenue-fact.ts';

/** The sign of each type's amounts. */
const signs = `amount_minor >= -999999999999 and amount_minor <= 999999999999
  and case when type in ('refund', 'chargeback', 'purchase_reversal') then amount_minor <= 0 else amount_minor >= 0 end`;

/** The ledger: append-only. No row is changed or deleted, and amounts are stored as the provider sent them. */
export const RevenueEvent = defineEntity({
  name: 'RevenueEvent',
  tableName: 'revenue_event',
  schema: 'revenue',
  // The most selective column follows the account: see `find-known.ts`.
  uniques: [
    { name: 'revenue_event_event_unique', properties: ['accountId', 'eventId', 'provider', 'type'] },
    { name: 'revenue_event_object_unique', properties: ['accountId', 'objectId', 'provider', 'type'] },
  ],
  indexes: [
    {
      name: 'revenue_event_type_index',
      properties: ['accountId', 'type', 'occurredAt', 'id'],
      where: `type <> 'purchase'`,
    },
    { name: 'revenue_event_source_index', properties: ['accountId', 'provider', 'occurredAt', 'id'] },
    {
      name: 'revenue_event_email_index',
      properties: ['accountId', 'email', 'id'],
      where: 'email is not null',
    },
    {
      name: 'revenue_event_inference_index',
      properties: ['accountId', 'email', 'id'],
      where: `email is not null and type in ('refund', 'chargeback')`,
    },
    {
      name: 'revenue_event_reversal_index',
      properties: ['accountId', 'reversesObjectId', 'id'],
      where: 'reverses_object_id is not null',
    },
  ],
  checks: [
    { name: 'revenue_event_amount_check', expression: signs },
    { name: 'revenue_event_currency_check', expression: `currency ~ '^[A-Z]{3}$'` },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    provider: p.text(),
    /** The provider's id of the message. */
    eventId: p.text(),
    /** The provider's id of the purchase, refund or dispute. */
    objectId: p.text(),
    type: p.enum(revenueEventTypes),
    email: p.text().nullable(),
    amountMinor: p.bigint('number'),
    currency: p.text(),
    occurredAt: p.datetime(3),
    receivedAt: p.datetime(3),
    /** As sent. `EventKey` has them too, to search by. */
    paymentKeys: p.array(),
    /** A refund that is known as the difference of two sums only. */
    isDifference: p.boolean().default(false),
    /** Only in reversals: the `objectId` of the refund or dispute. */
    reversesObjectId: p.text().nullable(),
    clickId: p.text().nullable(),
    registrationId: p.text().nullable(),
  },
});

export type RevenueEvent = InferEntity<typeof RevenueEvent>;
