import { defineEntity, p } from '@mikro-orm/postgresql';
import { sumProperties } from './total.ts';

export const quarterMs = 15 * 60_000;

/**
 * Sums of the ledger for each quarter of an hour and currency, of the workspace and of each webinar, beside the sums of days. Days,
 * weeks and months of every time zone are made from them: the offsets of all zones are multiples of a quarter since 1972, and
 * the ledger has no event before 2000.
 */
export const QuarterTotal = defineEntity({
  name: 'RevenueQuarterTotal',
  tableName: 'quarter_total',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    /** `allWebinars` for the sums of the workspace. */
    webinarId: p.uuid().primary(),
    /** Its start. */
    quarter: p.datetime(0).primary(),
    currency: p.text().primary(),
    ...sumProperties,
  },
});
