import { defineEntity, p } from '@mikro-orm/postgresql';
import { creditLevels } from '../../credit.ts';

/** The id in a total of what no webinar or no interaction has: a column of a primary key is never null. */
export const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Sums of the ledger, changed in the transaction of the rows that they count. `grossMinor` is the sum of purchases and their
 * reversals, `refundsMinor` that of refunds and theirs, `chargebacksMinor` that of chargebacks and theirs; the last two are zero or
 * negative as a rule, so that net is the sum of the three. A reversal lowers the count.
 */
export const Total = defineEntity({
  name: 'RevenueTotal',
  tableName: 'total',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    /** The UTC day on which the event occurred. */
    day: p.date().primary(),
    currency: p.text().primary(),
    /** `noId` when there is none. */
    webinarId: p.uuid().primary(),
    /** `noId` when there is none. */
    interactionId: p.uuid().primary(),
    level: p.enum(creditLevels).primary(),
    /** Empty when there is none. */
    utmSource: p.text().primary(),
    provider: p.text().primary(),
    // A bigint would overflow after nine million purchases of the largest amount.
    grossMinor: p.decimal().precision(30).scale(0),
    refundsMinor: p.decimal().precision(30).scale(0),
    chargebacksMinor: p.decimal().precision(30).scale(0),
    purchases: p.bigint('number'),
    refunds: p.bigint('number'),
    chargebacks: p.bigint('number'),
  },
});
