import { statement, type AccountWriter } from '@service/database';
import { allWebinars } from './entities/daily-total.ts';

/** What events of one day, currency and credit add to the sums. Negative for events that leave a credit. */
export interface TotalChange {
  /** UTC, `2026-11-22`. */
  day: string;
  currency: string;
  webinarId: string | null;
  interactionId: string | null;
  level: string;
  utmSource: string | null;
  provider: string;
  grossMinor: number;
  refundsMinor: number;
  chargebacksMinor: number;
  purchases: number;
  refunds: number;
  chargebacks: number;
}

// The sums of the workspace have a row for each value of five fields; those of a webinar for each value of the other four.
const addChanges = statement({
  name: 'revenue.add_totals',
  text: `
    insert into revenue.daily_total as total
      (account_id, webinar_id, dimension, day, currency, key, gross_minor, refunds_minor, chargebacks_minor, purchases, refunds,
       chargebacks)
    select $1::uuid, scope.webinar_id, field.dimension, change.day, change.currency, field.key, sum(change."grossMinor"),
      sum(change."refundsMinor"), sum(change."chargebacksMinor"), sum(change.purchases), sum(change.refunds),
      sum(change.chargebacks)
    from jsonb_to_recordset($2::jsonb) as change
      (day date, currency text, "webinarId" uuid, "interactionId" uuid, level text, "utmSource" text, provider text,
       "grossMinor" numeric, "refundsMinor" numeric, "chargebacksMinor" numeric, purchases bigint, refunds bigint,
       chargebacks bigint)
    cross join lateral (values
      ('level', change.level),
      ('webinar', coalesce(change."webinarId"::text, '')),
      ('offer', coalesce(change."interactionId"::text, '')),
      ('utm_source', coalesce(change."utmSource", '')),
      ('source', change.provider)
    ) as field (dimension, key)
    cross join lateral (
      select '${allWebinars}'::uuid as webinar_id
      union all
      select change."webinarId" where change."webinarId" is not null and field.dimension <> 'webinar'
    ) as scope
    group by scope.webinar_id, field.dimension, change.day, change.currency, field.key
    order by scope.webinar_id, field.dimension, change.day, change.currency, field.key
    on conflict (account_id, webinar_id, dimension, day, currency, key) do update set
      gross_minor = total.gross_minor + excluded.gross_minor,
      refunds_minor = total.refunds_minor + excluded.refunds_minor,
      chargebacks_minor = total.chargebacks_minor + excluded.chargebacks_minor,
      purchases = total.purchases + excluded.purchases,
      refunds = total.refunds + excluded.refunds,
      chargebacks = total.chargebacks + excluded.chargebacks`,
});

/** Adds changes to the sums, in one statement that is sent with the commit. The rows are changed in one order, so no two deadlock. */
export function addTotals(
  tx: Pick<AccountWriter, 'defer' | 'accountId'>,
  changes: readonly TotalChange[],
): void {
  if (changes.length > 0) tx.defer(addChanges, [tx.accountId, JSON.stringify(changes)]);
}
