import { statement, type AccountWriter } from '@service/database';
import { allWebinars } from './entities/total.ts';
import { countedOf, textKey, type LedgerRow, type StoredCredit } from './ledger-row.ts';
import type { RevenueEventType } from './revenue-fact.ts';

/** The change of `revenue.total` by the events of one day, currency and credit. */
interface TotalChange {
  day: string;
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

/** Collects how events and their credits change the totals. */
export function createTotalChanges() {
  const changes = new Map<string, TotalChange>();
  return {
    /** Counts an event under a credit. With `sign` -1: takes it out. */
    count(row: LedgerRow, credit: StoredCredit, sign: 1 | -1 = 1): void {
      const fields = {
        day: credit.countedAt.toISOString().slice(0, 10),
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
      change[sum] += sign * countedOf(row, credit);
      if (credit.countedMinor !== 0) change[count] += sign * step;
      changes.set(key, change);
    },
    changes: (): TotalChange[] => [...changes.values()].filter(isChange),
  };
}

const nothing = {
  gross_minor: 0,
  refunds_minor: 0,
  chargebacks_minor: 0,
  purchases: 0,
  refunds: 0,
  chargebacks: 0,
};

const numbers = Object.keys(nothing) as (keyof typeof nothing)[];

const isChange = (change: TotalChange): boolean => numbers.some((name) => change[name] !== 0);

// The workspace has a row for each value of five fields, the webinar of an event for each value of the other four. Rows are changed
// in the order of the key.
const addToTotals = statement({
  name: 'revenue.add_to_totals',
  text: `
    insert into revenue.total as t (account_id, webinar_id, dimension, day, currency, key, gross_minor, refunds_minor,
      chargebacks_minor, purchases, refunds, chargebacks)
    select $1::uuid, scope.webinar_id, field.dimension, e.day, e.currency, field.key, sum(e.gross_minor), sum(e.refunds_minor),
      sum(e.chargebacks_minor), sum(e.purchases), sum(e.refunds), sum(e.chargebacks)
    from jsonb_to_recordset($2::jsonb) as e (day date, currency text, webinar_id uuid, interaction_id uuid, level text,
      utm_source text, provider text, gross_minor numeric, refunds_minor numeric, chargebacks_minor numeric, purchases bigint,
      refunds bigint, chargebacks bigint)
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
    on conflict (account_id, webinar_id, dimension, day, currency, key) do update set
      gross_minor = t.gross_minor + excluded.gross_minor,
      refunds_minor = t.refunds_minor + excluded.refunds_minor,
      chargebacks_minor = t.chargebacks_minor + excluded.chargebacks_minor,
      purchases = t.purchases + excluded.purchases,
      refunds = t.refunds + excluded.refunds,
      chargebacks = t.chargebacks + excluded.chargebacks`,
});

export async function writeTotals(
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  changes: readonly TotalChange[],
): Promise<void> {
  if (changes.length > 0) await query(addToTotals, [accountId, JSON.stringify(changes)]);
}
