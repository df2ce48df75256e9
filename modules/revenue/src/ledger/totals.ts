import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RevenueEventType } from '@service/catalogue';
import { floorTo, quarterMs, statement, toSnakeCase, type AccountQueries } from '@service/database';
import { countedOf, textKey, type LedgerRow, type StoredCredit } from './ledger-row.ts';

/** The fields by which sums are kept. `offer` is the interaction of an offer click. */
const totalDimensions = ['level', 'webinar', 'offer', 'utm_source', 'source'] as const;

export type TotalDimension = (typeof totalDimensions)[number];

/** The webinar in totals of the workspace. They count every event, also those without a webinar. */
export const allWebinars = '00000000-0000-0000-0000-000000000000';

/** The sums and counts of both tables of totals. */
const sumProperties = {
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

const nothing = {
  grossMinor: 0,
  refundsMinor: 0,
  chargebacksMinor: 0,
  purchases: 0,
  /** The part of the purchases that is renewals. */
  renewalsMinor: 0,
  renewals: 0,
  refunds: 0,
  chargebacks: 0,
};

type Sums = typeof nothing;

/** The change of both tables of totals by the events of one quarter of an hour, currency and credit. */
interface TotalChange extends Sums {
  /** Its start, ISO 8601. */
  quarter: string;
  currency: string;
  webinarId: string | null;
  interactionId: string | null;
  level: string;
  utmSource: string | null;
  provider: string;
}

type Sum = 'grossMinor' | 'refundsMinor' | 'chargebacksMinor';
type Count = 'purchases' | 'refunds' | 'chargebacks';

/** The sum and the count of each type. A reversal lowers the count. */
const places: Record<RevenueEventType, [Sum, Count, 1 | -1]> = {
  purchase: ['grossMinor', 'purchases', 1],
  purchase_reversal: ['grossMinor', 'purchases', -1],
  refund: ['refundsMinor', 'refunds', 1],
  refund_reversal: ['refundsMinor', 'refunds', -1],
  chargeback: ['chargebacksMinor', 'chargebacks', 1],
  chargeback_reversal: ['chargebacksMinor', 'chargebacks', -1],
};

const types = Object.keys(places) as RevenueEventType[];

const sumOf = (sum: Sum): string => {
  const own = types.filter((type) => places[type][0] === sum).map((type) => `'${type}'`);
  return `case when e.type in (${own.join(', ')}) then coalesce(c.counted_minor, e.amount_minor) else 0 end`;
};

const countOf = (count: Count): string => {
  const own = types.filter((type) => places[type][1] === count);
  return `case when c.counted_minor = 0 then 0 else case e.type ${own.map((type) => `when '${type}' then ${places[type][2]}`).join(' ')} else 0 end end`;
};

const ofRenewal = (expression: string): string =>
  `case when c.renewal_of is null then 0 else ${expression} end`;

/** The same rule in a statement: what an event `e` with the credit `c` adds to each sum and count. */
export const eventSums: Readonly<Record<keyof Sums, string>> = {
  grossMinor: sumOf('grossMinor'),
  refundsMinor: sumOf('refundsMinor'),
  chargebacksMinor: sumOf('chargebacksMinor'),
  purchases: countOf('purchases'),
  renewalsMinor: ofRenewal(sumOf('grossMinor')),
  renewals: ofRenewal(countOf('purchases')),
  refunds: countOf('refunds'),
  chargebacks: countOf('chargebacks'),
};

/** Collects how events and their credits change the totals. */
export function createTotalChanges() {
  const changes = new Map<string, TotalChange>();
  return {
    /** Counts an event under a credit. With `sign` -1: takes it out. */
    count(row: LedgerRow, credit: StoredCredit, sign: 1 | -1 = 1): void {
      const fields = {
        quarter: floorTo(quarterMs, credit.countedAt).toISOString(),
        currency: row.currency,
        webinarId: credit.webinarId,
        interactionId: credit.interactionId,
        level: credit.level,
        utmSource: credit.utmSource,
        provider: row.provider,
      };
      const key = textKey(...Object.values(fields).map((value) => value ?? ''));
      const change = changes.get(key) ?? { ...fields, ...nothing };
      const [sum, count, step] = places[row.type];
      const counted = countedOf(row, credit);
      const times = credit.countedMinor === 0 ? 0 : step;
      change[sum] += sign * counted;
      change[count] += sign * times;
      if (credit.renewalOf !== null && sum === 'grossMinor') {
        change.renewalsMinor += sign * counted;
        change.renewals += sign * times;
      }
      changes.set(key, change);
    },
    changes: (): TotalChange[] => [...changes.values()].filter(isChange),
  };
}

const numbers = Object.keys(nothing) as (keyof Sums)[];

const isChange = (change: TotalChange): boolean => numbers.some((name) => change[name] !== 0);

const columns = numbers.map(toSnakeCase);
const addNumbers = columns.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');
const sumNumbers = numbers.map((name) => `sum(e."${name}")`).join(', ');

// The workspace has a row for each value of five fields, the webinar of an event for each value of the other four. Rows are changed
// in the order of the key.
const addToTotals = statement({
  name: 'revenue.add_to_totals',
  text: `
    with e as (
      select * from jsonb_to_recordset($2::jsonb) as e (quarter timestamptz, currency text, "webinarId" uuid, "interactionId" uuid,
        level text, "utmSource" text, provider text, "grossMinor" numeric, "refundsMinor" numeric, "chargebacksMinor" numeric,
        purchases bigint, "renewalsMinor" numeric, renewals bigint, refunds bigint, chargebacks bigint)
    ), quarters as (
      insert into revenue.quarter_total as t (account_id, webinar_id, quarter, currency, ${columns.join(', ')})
      select $1::uuid, scope.webinar_id, e.quarter, e.currency, ${sumNumbers}
      from e cross join lateral (
        select '${allWebinars}'::uuid as webinar_id union all select e."webinarId" where e."webinarId" is not null
      ) as scope
      group by 2, 3, 4
      order by 2, 3, 4
      on conflict (account_id, webinar_id, quarter, currency) do update set ${addNumbers}
    )
    insert into revenue.total as t (account_id, webinar_id, dimension, day, currency, key, ${columns.join(', ')})
    select $1::uuid, scope.webinar_id, field.dimension, (e.quarter at time zone 'UTC')::date, e.currency, field.key,
      ${sumNumbers}
    from e
    cross join lateral (values
      ('level', e.level), ('webinar', coalesce(e."webinarId"::text, '')), ('offer', coalesce(e."interactionId"::text, '')),
      ('utm_source', coalesce(e."utmSource", '')), ('source', e.provider)
    ) as field (dimension, key)
    cross join lateral (
      select '${allWebinars}'::uuid as webinar_id
      union all
      select e."webinarId" where e."webinarId" is not null and field.dimension <> 'webinar'
    ) as scope
    group by 2, 3, 4, 5, 6
    order by 2, 3, 4, 5, 6
    on conflict (account_id, webinar_id, dimension, day, currency, key) do update set ${addNumbers}`,
});

export async function writeTotals(
  { query, accountId }: AccountQueries,
  changes: readonly TotalChange[],
): Promise<void> {
  if (changes.length > 0) await query(addToTotals, [accountId, JSON.stringify(changes)]);
}
