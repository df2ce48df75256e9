import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { revenueEventTypes } from '@service/catalogue';
import { creditLevels, matchKinds, unattributedReasons, type Considered } from '../credit.ts';

/** The sign of each type's amounts. */
const signs = `amount_minor >= -999999999999 and amount_minor <= 999999999999
  and case when type in ('refund', 'chargeback', 'purchase_reversal') then amount_minor <= 0 else amount_minor >= 0 end`;

/** The ledger: append-only. No row is changed or deleted, and amounts are stored as the provider sent them. */
export const RevenueEvent = defineEntity({
  name: 'RevenueEvent',
  tableName: 'revenue_event',
  schema: 'revenue',
  // The most selective column follows the account: see `identify-facts.ts`.
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

/**
 * Why a row of the ledger belongs to its payment: `own` for purchases, `transaction` when a name of the payment is the same,
 * `inferred` when only e-mail, currency, time and amount fit, and `unpaired` when no purchase is known. A reversal is `waiting` until
 * the refund or dispute that it takes back has arrived.
 */
export const pairings = ['own', 'transaction', 'inferred', 'unpaired', 'waiting'] as const;

export type Pairing = (typeof pairings)[number];

/** The payment and the credit of a revenue event, one row for each. All events of a payment have the credit of its purchase. */
export const EventCredit = defineEntity({
  name: 'EventCredit',
  tableName: 'credit',
  schema: 'revenue',
  indexes: [
    { name: 'credit_payment_index', properties: ['accountId', 'paymentId'], where: 'payment_id is not null' },
    {
      name: 'credit_renewal_index',
      properties: ['accountId', 'renewalOf', 'id'],
      where: 'renewal_of is not null',
    },
    {
      name: 'credit_webinar_index',
      properties: ['accountId', 'webinarId', 'occurredAt', 'id'],
      where: 'webinar_id is not null',
    },
    {
      name: 'credit_interaction_index',
      properties: ['accountId', 'interactionId', 'occurredAt', 'id'],
      where: 'interaction_id is not null',
    },
    {
      name: 'credit_webinar_adjustment_index',
      properties: ['accountId', 'webinarId', 'occurredAt', 'id'],
      where: `webinar_id is not null and pairing <> 'own'`,
    },
    {
      name: 'credit_interaction_adjustment_index',
      properties: ['accountId', 'interactionId', 'occurredAt', 'id'],
      where: `interaction_id is not null and pairing <> 'own'`,
    },
    {
      name: 'credit_registration_index',
      properties: ['accountId', 'registrationId', 'occurredAt', 'id'],
      where: 'registration_id is not null',
    },
    {
      name: 'credit_buyer_email_index',
      properties: ['accountId', 'buyerEmail', 'occurredAt', 'id'],
      where: 'buyer_email is not null',
    },
    { name: 'credit_occurred_index', properties: ['accountId', 'occurredAt', 'id'] },
    {
      name: 'credit_unattributed_index',
      properties: ['accountId', 'occurredAt', 'id'],
      where: `level = 'unattributed'`,
    },
    {
      name: 'credit_attributed_index',
      properties: ['accountId', 'occurredAt', 'id'],
      where: `level <> 'unattributed'`,
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    /** The id of the revenue event. */
    id: p.uuid().primary(),
    paymentId: p.uuid().nullable(),
    pairing: p.enum(pairings),
    /** The e-mail address of the event, else of its payment, which may have it from a later event. For lists. */
    buyerEmail: p.text().nullable(),
    webinarId: p.uuid().nullable(),
    sessionId: p.uuid().nullable(),
    registrationId: p.uuid().nullable(),
    interactionId: p.uuid().nullable(),
    utmSource: p.text().nullable(),
    level: p.enum(creditLevels),
    matchedBy: p.enum(matchKinds).nullable(),
    /** Null unless the level is `unattributed`. */
    reason: p.enum(unattributedReasons).nullable(),
    touchAt: p.datetime(3).nullable(),
    /** The first payment of the subscription, in the events of its renewals. */
    renewalOf: p.uuid().nullable(),
    /** Null while the event is unpaired. */
    windowDays: p.integer().nullable(),
    considered: p.json<Considered>().nullable(),
    /** The time at which the event got a registration for the first time. Rules fire then. */
    creditedAt: p.datetime(3).nullable(),
    /** The time at which the event counts: its own, and that of the payment for its purchase. */
    occurredAt: p.datetime(3),
    /** The part of the amount that counts. Null: all of it. 0 for a reversal that waits. */
    countedMinor: p.bigint('number').nullable(),
  },
});

export type EventCredit = InferEntity<typeof EventCredit>;
