// A ledger of any size, written by SQL.
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';

export interface FilledLedger {
  accountId: string;
  webinarIds: string[];
  interactionIds: string[];
  /** Of a buyer. */
  email: string;
}

const days = 90;

/** Events of one statement. */
const chunkMax = 100_000;

/**
 * Inserts events of ninety days with their credits, payments and totals: 94 % purchases, 95 % of one source, 20 % unattributed, 20
 * webinars with an offer each.
 */
export async function fillLedger(pool: Pool, accountId: string, rows: number): Promise<FilledLedger> {
  const webinarIds = Array.from({ length: 20 }, () => randomUUID());
  const interactionIds = webinarIds.map(() => randomUUID());
  const buyers = Math.max(1, Math.floor(rows / 5));
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    const createIndexes = rows > fewRowsMax ? await dropIndexes(client) : undefined;
    for (let from = 0; from < rows; from += chunkMax) {
      const to = Math.min(from + chunkMax, rows) - 1;
      await client.query(insertChunk, [accountId, from, to, webinarIds, interactionIds, buyers]);
    }
    await createIndexes?.();
    for (const table of ['revenue_event', 'payment', 'credit'])
      await client.query(`vacuum analyze revenue.${table}`);
    await client.query(insertTotals, [accountId]);
    await client.query(insertQuarters, [accountId]);
    for (const table of ['total', 'quarter_total']) await client.query(`vacuum analyze revenue.${table}`);
  } finally {
    // Closed, because its timeout was changed.
    client.release(true);
  }
  return { accountId, webinarIds, interactionIds, email: 'buyer0@example.com' };
}

/** Rows that are inserted with the indexes in place, because the tables may have millions of others. */
const fewRowsMax = 100_000;

/** Without indexes ten million rows take minutes instead of hours. Returns the function that creates them again. */
async function dropIndexes(client: PoolClient): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; create: string }>(selectIndexes);
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    await client.query(`set maintenance_work_mem = '1GB'`);
    for (const { create } of rows) await client.query(create);
  };
}

const selectIndexes = `
  select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
      else format('alter table %s drop constraint %s', i.indrelid::regclass, quote_ident(c.conname)) end as drop,
    case when c.oid is null then pg_get_indexdef(i.indexrelid)
      else format('alter table %s add constraint %s %s', i.indrelid::regclass, quote_ident(c.conname), pg_get_constraintdef(c.oid))
    end as create
  from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
  where i.indrelid in ('revenue.revenue_event'::regclass, 'revenue.payment'::regclass, 'revenue.credit'::regclass)`;

const insertChunk = `
  with r as (
    select n, (substring(md5($1::uuid::text || n), 1, 12) || '7' || substring(md5($1::uuid::text || n), 14, 3) || 'a'
        || substring(md5($1::uuid::text || n), 18, 15))::uuid as id,
      case when mixed < 94 then 'purchase' when mixed < 99 then 'refund' else 'chargeback' end as type,
      case when n % 19 = 0 then 'generic' else 'stripe' end as provider,
      'buyer' || (n::bigint * 7919 % $6::bigint) || '@example.com' as email,
      case when n % 7 = 0 then 'USD' else 'EUR' end as currency,
      date_trunc('milliseconds', now() - (n::bigint * 104729 % (${days} * 86400)) * interval '1 second') as at,
      case when n % 5 = 0 then 'unattributed' when n % 5 < 3 then 'offer_click' else 'registered' end as level,
      n / 5 % 20 + 1 as webinar
    from generate_series($2::int, $3::int) n
    -- Independent of the webinar, so that each webinar has refunds.
    cross join lateral (select (n + n / 100 * 13) % 100 as mixed) m
  ), events as (
    insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
      occurred_at, received_at, payment_keys)
    select $1, id, provider, 'event' || n, 'event' || n, type, email, case type when 'purchase' then 4900 else -900 end, currency,
      at, at, '{}' from r
  ), payments as (
    insert into revenue.payment (account_id, id, provider, email, currency, amount_minor, refunded_minor, charged_back_minor,
      state, over_refunded, occurred_at, first_key)
    select $1, id, provider, email, currency, 4900, 0, 0,
      case when n % 50 = 1 then 'refunded' when n % 200 = 2 then 'charged_back' else 'paid' end, false, at, 'event' || n
    from r where type = 'purchase'
  )
  insert into revenue.credit (account_id, id, payment_id, pairing, buyer_email, webinar_id, interaction_id, registration_id, utm_source, level,
    reason, window_days, occurred_at)
  select $1, id, case when type = 'purchase' then id end, case when type = 'purchase' then 'own' else 'unpaired' end,
    email, case when level <> 'unattributed' then ($4::uuid[])[webinar] end,
    case when level = 'offer_click' then ($5::uuid[])[webinar] end,
    case when level <> 'unattributed' then gen_random_uuid() end,
    case when level <> 'unattributed' then 'source' || n % 10 end, level,
    case when level = 'unattributed' then 'no_match' end, 30, at
  from r`;

const insertTotals = `
  insert into revenue.total
  select $1, scope.id, field.dimension, (e.occurred_at at time zone 'UTC')::date, e.currency, field.key,
    sum(e.amount_minor) filter (where e.type = 'purchase'), coalesce(sum(e.amount_minor) filter (where e.type = 'refund'), 0),
    coalesce(sum(e.amount_minor) filter (where e.type = 'chargeback'), 0), count(*) filter (where e.type = 'purchase'),
    count(*) filter (where e.type = 'refund'), count(*) filter (where e.type = 'chargeback')
  from revenue.revenue_event e join revenue.credit c on c.account_id = e.account_id and c.id = e.id
  cross join lateral (values
    ('level', c.level), ('webinar', coalesce(c.webinar_id::text, '')), ('offer', coalesce(c.interaction_id::text, '')),
    ('utm_source', coalesce(c.utm_source, '')), ('source', e.provider)
  ) as field (dimension, key)
  cross join lateral (
    select '00000000-0000-0000-0000-000000000000'::uuid as id
    union all
    select c.webinar_id where c.webinar_id is not null and field.dimension <> 'webinar'
  ) as scope
  where e.account_id = $1
  group by 2, 3, 4, 5, 6
  having count(*) filter (where e.type = 'purchase') > 0`;

const insertQuarters = `
  insert into revenue.quarter_total
  select $1, scope.id, date_bin('15 minutes', e.occurred_at, timestamptz 'epoch'), e.currency,
    coalesce(sum(e.amount_minor) filter (where e.type = 'purchase'), 0),
    coalesce(sum(e.amount_minor) filter (where e.type = 'refund'), 0),
    coalesce(sum(e.amount_minor) filter (where e.type = 'chargeback'), 0), count(*) filter (where e.type = 'purchase'),
    count(*) filter (where e.type = 'refund'), count(*) filter (where e.type = 'chargeback')
  from revenue.revenue_event e join revenue.credit c on c.account_id = e.account_id and c.id = e.id
  cross join lateral (
    select '00000000-0000-0000-0000-000000000000'::uuid as id union all select c.webinar_id where c.webinar_id is not null
  ) as scope
  where e.account_id = $1
  group by 2, 3, 4`;
