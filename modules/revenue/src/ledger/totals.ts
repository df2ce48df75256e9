import { statement, type AccountWriter } from '@service/database';
import { allWebinars } from './entities/total.ts';
import { quarterMs } from './entities/quarter-total.ts';
import { countedOf, textKey, type LedgerRow, type StoredCredit } from './ledger-row.ts';
import type { RevenueEventType } from './revenue-fact.ts';

/** The change of both tables of totals by the events of one quarter of an hour, currency and credit. */
interface TotalChange {
  /** Its start, ISO 8601. */
  quarter: string;
  currency: string;
  webinar_id: string | null;
  interaction_id: string | null;
  level: string;
  utm_source: string | null;
  provider: string;
  gross_minor: number;
  refunds_minor: number;
  chargebacks_minor: number;
  purchases: number;
  /** The part of the purchases that is renewals. */
  renewals_minor: number;
  renewals: number;
  refunds: number;
  chargebacks: number;
}

type Sum = 'gross_minor' | 'refunds_minor' | 'chargebacks_minor';
type Count = 'purchases' | 'refunds' | 'chargebacks';

/** The sum and the count of each type. A reversal lowers the count. */
const places: Record<RevenueEventType, [Sum, Count, 1 | -1]> = {
  purchase: ['gross_minor', 'purchases', 1],
  purchase_reversal: ['gross_minor', 'purchases', -1],
  refund: ['refunds_minor', 'refunds', 1],
  refund_reversal: ['refunds_minor', 'refunds', -1],
  chargeback: ['chargebacks_minor', 'chargebacks', 1],
  chargeback_reversal: ['chargebacks_minor', 'chargebacks', -1],
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
export const eventSums: Readonly<Record<keyof typeof nothing, string>> = {
  gross_minor: sumOf('gross_minor'),
  refunds_minor: sumOf('refunds_minor'),
  chargebacks_minor: sumOf('chargebacks_minor'),
  purchases: countOf('purchases'),
  renewals_minor: ofRenewal(sumOf('gross_minor')),
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
        quarter: quarterOf(credit.countedAt),
        currency: row.currency,
        webinar_id: credit.webinarId,
        interaction_id: credit.interactionId,
        level: credit.level,
        utm_source: credit.utmSource,
        provider: row.provider,
      };
      const key = textKey(...Object.values(fields).map((value) => value ?? ''));
      const change = changes.get(key) ?? { ...fields, ...nothing };
      const [sum, count, step] = places[row.type];
      const counted = countedOf(row, credit);
      const times = credit.countedMinor === 0 ? 0 : step;
      change[sum] += sign * counted;
      change[count] += sign * times;
      if (credit.renewalOf !== null && sum === 'gross_minor') {
        change.renewals_minor += sign * counted;
        change.renewals += sign * times;
      }
      changes.set(key, change);
    },
    changes: (): TotalChange[] => [...changes.values()].filter(isChange),
  };
}

const quarterOf = (time: Date): string =>
  new Date(Math.floor(time.getTime() / quarterMs) * quarterMs).toISOString();

const nothing = {
  gross_minor: 0,
  refunds_minor: 0,
  chargebacks_minor: 0,
  purchases: 0,
  renewals_minor: 0,
  renewals: 0,
  refunds: 0,
  chargebacks: 0,
};

const numbers = Object.keys(nothing) as (keyof typeof nothing)[];

const isChange = (change: TotalChange): boolean => numbers.some((name) => change[name] !== 0);

const addNumbers = numbers.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');
const sumNumbers = numbers.map((name) => `sum(e.${name})`).join(', ');

// The workspace has a row for each value of five fields, the webinar of an event for each value of the other four. Rows are changed
// in the order of the key.
const addToTotals = statement({
  name: 'revenue.add_to_totals',
  text: `
    with e as (
      select * from jsonb_to_recordset($2::jsonb) as e (quarter timestamptz, currency text, webinar_id uuid, interaction_id uuid,
        level text, utm_source text, provider text, gross_minor numeric, refunds_minor numeric, chargebacks_minor numeric,
        purchases bigint, renewals_minor numeric, renewals bigint, refunds bigint, chargebacks bigint)
    ), quarters as (
      insert into revenue.quarter_total as t (account_id, webinar_id, quarter, currency, ${numbers.join(', ')})
      select $1::uuid, scope.webinar_id, e.quarter, e.currency, ${sumNumbers}
      from e cross join lateral (
        select '${allWebinars}'::uuid as webinar_id union all select e.webinar_id where e.webinar_id is not null
      ) as scope
      group by 2, 3, 4
      order by 2, 3, 4
      on conflict (account_id, webinar_id, quarter, currency) do update set ${addNumbers}
    )
    insert into revenue.total as t (account_id, webinar_id, dimension, day, currency, key, ${numbers.join(', ')})
    select $1::uuid, scope.webinar_id, field.dimension, (e.quarter at time zone 'UTC')::date, e.currency, field.key,
      ${sumNumbers}
    from e
    cross join lateral (values
      ('level', e.level), ('webinar', coalesce(e.webinar_id::text, '')), ('offer', coalesce(e.interaction_id::text, '')),
      ('utm_source', coalesce(e.utm_source, '')), ('source', e.provider)
    ) as field (dimension, key)
    cross join lateral (
      select '${allWebinars}'::uuid as webinar_id
      union all
      select e.webinar_id where e.webinar_id is not null and field.dimension <> 'webinar'
    ) as scope
    group by 2, 3, 4, 5, 6
    order by 2, 3, 4, 5, 6
    on conflict (account_id, webinar_id, dimension, day, currency, key) do update set ${addNumbers}`,
});

export async function writeTotals(
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  changes: readonly TotalChange[],
): Promise<void> {
  if (changes.length > 0) await query(addToTotals, [accountId, JSON.stringify(changes)]);
}
