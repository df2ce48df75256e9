// The ledger as a test compares it: by the names that the provider uses, never by ids.
import { expect } from 'vitest';
import type { LedgerWorld } from './ledger-world.ts';

type Ledger = Pick<LedgerWorld, 'query' | 'accountId'>;

/** The webinar in totals of the workspace. */
const allWebinars = '00000000-0000-0000-0000-000000000000';

const tables = [
  'revenue_event',
  'payment',
  'credit',
  'event_key',
  'purchase_description',
  'total',
  'quarter_total',
  'credit_retry',
  'postponed_event',
];

export async function clearLedger({ query }: Ledger): Promise<void> {
  const deletes = tables.map((table) => `${table} as (delete from revenue.${table})`);
  await query(`with ${deletes.join(', ')} select`);
}

/** Payments by their first name, and what each refund, chargeback and reversal is paired with. */
export async function readLedger({ query, accountId }: Ledger) {
  const payments = await query(
    `select p.first_key as name, p.provider, p.email, p.currency, p.amount_minor, p.refunded_minor, p.charged_back_minor, p.state,
       p.over_refunded, p.occurred_at, p.click_id, p.registration_id as sent, ${creditColumns}
     from revenue.payment p join revenue.credit c on c.account_id = p.account_id and c.id = p.id
     where p.account_id = $1 order by p.provider, p.first_key`,
    [accountId],
  );
  const adjustments = await query(
    `select e.type, e.object_id, e.amount_minor, coalesce(c.counted_minor, e.amount_minor) as counted_minor, e.currency, p.first_key as payment, c.pairing, ${creditColumns}
     from revenue.revenue_event e join revenue.credit c on c.account_id = e.account_id and c.id = e.id
     left join revenue.payment p on p.account_id = c.account_id and p.id = c.payment_id
     where e.account_id = $1 and e.type not in ('purchase', 'purchase_reversal') order by e.type, e.provider, e.object_id`,
    [accountId],
  );
  return { payments, adjustments };
}

const creditColumns = `c.level, c.matched_by, c.reason, c.registration_id, c.touch_at, c.window_days`;

/** `state refunded/charged back` of a payment, by its first name. */
export async function statesOf(world: Ledger): Promise<Record<string, string>> {
  const { payments } = await readLedger(world);
  return Object.fromEntries(
    payments.map((payment) => [
      payment.name,
      `${payment.state} ${payment.refunded_minor}/${payment.charged_back_minor}${payment.over_refunded ? ' over' : ''}`,
    ]),
  );
}

/** `pairing payment` of each refund, chargeback and reversal, by its object. */
export async function pairsOf(world: Ledger): Promise<Record<string, string>> {
  const { adjustments } = await readLedger(world);
  return Object.fromEntries(
    adjustments.map(({ type, object_id, pairing, payment }) => [
      type.endsWith('reversal') ? `${object_id} reversed` : object_id,
      payment === null ? pairing : `${pairing} ${payment}`,
    ]),
  );
}

/** Credits, payments and totals are sums of the events, of every account. */
export async function expectSums({ query }: Ledger): Promise<void> {
  const differences = [
    withoutCredit,
    currencyDifferences,
    totalDifferences,
    quarterDifferences,
    paymentDifferences,
  ];
  expect(await Promise.all(differences.map((sql) => query(sql)))).toEqual(differences.map(() => []));
}

const withoutCredit = `
  select e.id from revenue.revenue_event e full join revenue.credit c on c.account_id = e.account_id and c.id = e.id
  where e.id is null or c.id is null`;

const currencyDifferences = `
  select e.currency, e.sum - t.sum as difference
  from (select e.account_id, e.currency, sum(coalesce(c.counted_minor, e.amount_minor)) from revenue.revenue_event e
    join revenue.credit c on c.account_id = e.account_id and c.id = e.id group by 1, 2) e
  full join (select account_id, currency, sum(gross_minor + refunds_minor + chargebacks_minor) from revenue.total
    where dimension = 'level' and webinar_id = '${allWebinars}' group by 1, 2) t
    using (account_id, currency)
  where e.sum is distinct from t.sum and coalesce(e.sum, 0) <> coalesce(t.sum, 0)`;

/** Rows of `total` that differ from the events. */
const totalDifferences = `
  with counted as (
    select e.account_id, scope.id as webinar_id, field.dimension, (c.occurred_at at time zone 'UTC')::date as day, e.currency, field.key,
      coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('purchase', 'purchase_reversal')), 0) as gross_minor,
      coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('refund', 'refund_reversal')), 0) as refunds_minor,
      coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('chargeback', 'chargeback_reversal')), 0) as chargebacks_minor,
      count(*) filter (where e.type = 'purchase') - count(*) filter (where e.type = 'purchase_reversal') as purchases,
      coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('purchase', 'purchase_reversal') and c.renewal_of is not null), 0) as renewals_minor,
      count(*) filter (where e.type = 'purchase' and c.renewal_of is not null)
        - count(*) filter (where e.type = 'purchase_reversal' and c.renewal_of is not null) as renewals,
      count(*) filter (where e.type = 'refund' and c.counted_minor is distinct from 0)
        - count(*) filter (where e.type = 'refund_reversal' and c.counted_minor is distinct from 0) as refunds,
      count(*) filter (where e.type = 'chargeback' and c.counted_minor is distinct from 0)
        - count(*) filter (where e.type = 'chargeback_reversal' and c.counted_minor is distinct from 0) as chargebacks
    from revenue.revenue_event e join revenue.credit c on c.account_id = e.account_id and c.id = e.id
    cross join lateral (values
      ('level', c.level), ('webinar', coalesce(c.webinar_id::text, '')), ('offer', coalesce(c.interaction_id::text, '')),
      ('utm_source', coalesce(c.utm_source, '')), ('source', e.provider)
    ) as field (dimension, key)
    cross join lateral (values ('${allWebinars}'::uuid), (c.webinar_id)) as scope (id)
    where scope.id is not null and (scope.id = '${allWebinars}' or field.dimension <> 'webinar')
    group by 1, 2, 3, 4, 5, 6
  ), kept as (
    select account_id, webinar_id, dimension, day, currency, key, gross_minor, refunds_minor, chargebacks_minor, purchases,
      renewals_minor, renewals, refunds, chargebacks from revenue.total
  )
  (select 'missing', * from counted where gross_minor <> 0 or refunds_minor <> 0 or chargebacks_minor <> 0 or purchases <> 0
     or refunds <> 0 or chargebacks <> 0
   except all select 'missing', * from kept)
  union all
  (select 'wrong', * from kept where gross_minor <> 0 or refunds_minor <> 0 or chargebacks_minor <> 0 or purchases <> 0
     or refunds <> 0 or chargebacks <> 0
   except all select 'wrong', * from counted)`;

/** Rows of `quarter_total` that differ from the events. */
const quarterDifferences = `
  select account_id, webinar_id, quarter, currency from (
    select account_id, webinar_id, quarter, currency, gross_minor, refunds_minor, chargebacks_minor, purchases, refunds, chargebacks,
      renewals_minor
    from revenue.quarter_total
    union all
    select e.account_id, scope.id, date_bin('15 minutes', c.occurred_at, timestamptz 'epoch'), e.currency,
      case when e.type in ('purchase', 'purchase_reversal') then -coalesce(c.counted_minor, e.amount_minor) else 0 end,
      case when e.type in ('refund', 'refund_reversal') then -coalesce(c.counted_minor, e.amount_minor) else 0 end,
      case when e.type in ('chargeback', 'chargeback_reversal') then -coalesce(c.counted_minor, e.amount_minor) else 0 end,
      case e.type when 'purchase' then -1 when 'purchase_reversal' then 1 else 0 end,
      case when c.counted_minor = 0 then 0 when e.type = 'refund' then -1 when e.type = 'refund_reversal' then 1 else 0 end,
      case when c.counted_minor = 0 then 0 when e.type = 'chargeback' then -1 when e.type = 'chargeback_reversal' then 1 else 0 end,
      case when c.renewal_of is not null and e.type in ('purchase', 'purchase_reversal')
        then -coalesce(c.counted_minor, e.amount_minor) else 0 end
    from revenue.revenue_event e join revenue.credit c on c.account_id = e.account_id and c.id = e.id
    cross join lateral (values ('${allWebinars}'::uuid), (c.webinar_id)) as scope (id) where scope.id is not null
  ) counted
  group by 1, 2, 3, 4
  having sum(gross_minor) <> 0 or sum(refunds_minor) <> 0 or sum(chargebacks_minor) <> 0 or sum(purchases) <> 0
    or sum(refunds) <> 0 or sum(chargebacks) <> 0 or sum(renewals_minor) <> 0`;

/** Payments whose sums differ from their events, and events whose credit or e-mail address differs from that of their payment. */
const paymentDifferences = `
  select p.id from revenue.payment p
  join revenue.credit own on own.account_id = p.account_id and own.id = p.id
  join revenue.credit c on c.account_id = p.account_id and c.payment_id = p.id
  join revenue.revenue_event e on e.account_id = c.account_id and e.id = c.id
  group by p.account_id, p.id
  having p.amount_minor - p.refunded_minor - p.charged_back_minor > p.amount_minor
    or p.amount_minor <> coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('purchase', 'purchase_reversal') and e.currency = p.currency), 0)
    or p.refunded_minor <> coalesce(-sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('refund', 'refund_reversal')), 0)
    or p.charged_back_minor <> coalesce(-sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('chargeback', 'chargeback_reversal')), 0)
    or bool_or((c.level, c.reason, c.registration_id, c.webinar_id, c.touch_at, c.renewal_of)
      is distinct from (own.level, own.reason, own.registration_id, own.webinar_id, own.touch_at, own.renewal_of))
    or bool_or(c.buyer_email is distinct from coalesce(e.email, p.email))`;
