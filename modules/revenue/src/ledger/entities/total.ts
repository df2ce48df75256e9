import { defineEntity, p } from '@mikro-orm/postgresql';

/** The fields by which sums are kept. `offer` is the interaction of an offer click. */
export const totalDimensions = ['level', 'webinar', 'offer', 'utm_source', 'source'] as const;

export type TotalDimension = (typeof totalDimensions)[number];

/** The webinar in totals of the workspace. They count every event, also those without a webinar. */
export const allWebinars = '00000000-0000-0000-0000-000000000000';

/** The sums and counts of both tables of totals. */
export const sumProperties = {
  // A bigint would overflow after nine million purchases of the largest amount.
  grossMinor: p.decimal().precision(30).scale(0),
  refundsMinor: p.decimal().precision(30).scale(0),
  chargebacksMinor: p.decimal().precision(30).scale(0),
  purchases: p.bigint('number'),
  renewalsMinor: p.decimal().precision(30).scale(0).default(0),
  renewals: p.bigint('number').defaultRaw('0'),
  refunds: p.bigint('number'),
  chargebacks: p.bigint('number'),
};

/**
 * Sums of the ledger, changed in the transaction of the rows that they count: by UTC day, currency and one other field, for the
 * workspace and for each webinar. A row for each value of a field, and not for each combination of values, so that a report reads
 * a few rows for each day.
 *
 * `grossMinor` is the sum of purchases and their reversals, `refundsMinor` that of refunds and theirs, `chargebacksMinor` that of
 * chargebacks and theirs; the last two are zero or negative as a rule, so that net is the sum of the three. A reversal lowers the
 * count. `renewalsMinor` and `renewals` are the part of purchases that is renewals of subscriptions.
 */
export const Total = defineEntity({
  name: 'RevenueTotal',
  tableName: 'total',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    /** `allWebinars` for the sums of the workspace. */
    webinarId: p.uuid().primary(),
    dimension: p.enum(totalDimensions).primary(),
    /** The UTC day on which the event occurred. */
    day: p.date().primary(),
    currency: p.text().primary(),
    /** The value of the field. Empty when an event has none. */
    key: p.text().primary(),
    ...sumProperties,
  },
});
