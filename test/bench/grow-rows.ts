import { randomUUID } from 'node:crypto';
import { createId, ensurePartitions, type Database } from '@service/database';
import { deliveriesModule } from '@service/deliveries';

export interface FilledDeliveries {
  accountId: string;
  /** One in ten deliveries goes there. */
  busyEndpointId: string;
  /** Has ninety deliveries in all. */
  quietEndpointId: string;
}

interface Fill {
  rows: number;
  /** Whole days up to yesterday that they are spread over. */
  days: number;
  now: Date;
  /** Left out: a new account with a thousand endpoints. */
  accountId?: string;
  endpointIds?: readonly string[];
}

const dayMs = 86_400_000;
const quietDeliveries = 90;
const endpointCount = 1000;

/**
 * Deliveries that have ended, with their attempts: of a thousand endpoints, one in a hundred failed after three attempts, a
 * few cancelled. Rows are made by Postgres itself, and each day is vacuumed and analysed as autovacuum would have done;
 * the partitioned tables themselves have no statistics, since autovacuum never gives them any.
 */
export async function fillDeliveries(
  pool: Database['pool'],
  {
    rows,
    days,
    now,
    accountId = randomUUID(),
    endpointIds = Array.from({ length: endpointCount }, () => createId()),
  }: Fill,
): Promise<FilledDeliveries> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const from = today - days * dayMs;
  await ensurePartitions(pool, deliveriesModule.partitions, { now: new Date(from), daysAhead: days });
  const quietEndpointId = createId();
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    for (let day = 0; day < days; day += 1) {
      const startsAt = from + day * dayMs;
      const perDay = Math.floor((rows * (day + 1)) / days) - Math.floor((rows * day) / days);
      const quietPerDay = quietDeliveries / days;
      await client.query(insertDay, [accountId, endpointIds, quietEndpointId, perDay, startsAt, quietPerDay]);
      const suffix = new Date(startsAt).toISOString().slice(0, 10).replaceAll('-', '');
      for (const { schema, table } of deliveriesModule.partitions)
        await client.query(`vacuum (analyze) ${schema}.${table}_${suffix}`);
    }
  } finally {
    client.release(true);
  }
  return { accountId, busyEndpointId: endpointIds[0]!, quietEndpointId };
}

const insertDay = `
  with source as materialized (
    select
      (lpad(to_hex(at_ms), 12, '0') || '7' || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid as id,
      case when n % ($4::int / $6::int) = 1 then $3::uuid when n % 10 = 0 then ($2::uuid[])[1]
        else ($2::uuid[])[1 + n % array_length($2::uuid[], 1)] end as endpoint_id,
      case when n % 3 = 0 then 'attended' else 'registered' end as event_type,
      '{"event_type":"registered","attendee":{"name":"Ada Lovelace","email":"' || hash || '@example.com"},"padding":"'
        || repeat('x', 200) || '"}' as body,
      to_timestamp(at_ms / 1000.0) as created_at,
      case when chance < 3 then 'failure' when chance = 3 then 'cancelled' end as ended_as
    from (
      select n, $5::bigint + (n * (86400000.0 / $4::int))::bigint as at_ms, md5($5::text || n) as hash,
        get_byte(decode(left(md5($5::text || n), 2), 'hex'), 0) as chance
      from generate_series(0, $4::int - 1) n
    ) numbered
  ), kept as (
    insert into deliveries.body (id, account_id, body) select id, $1, body from source
  ), made as (
    insert into deliveries.delivery (id, account_id, endpoint_id, event_type, is_refire, attempts_max, created_at, ended_as)
    select id, $1, endpoint_id, event_type, false, 11, created_at, ended_as from source
    returning id, account_id, created_at, ended_as
  )
  insert into deliveries.attempt
    (delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, failure)
  select id, number, account_id, 'https://receiver.example.com/hooks/webinars', created_at + number * interval '1 minute', 42,
    case when ended_as is null then 200 else 500 end, 'ok', case when ended_as is null then null else 'http_status' end
  from made
  cross join generate_series(1, 3) number
  where number = 1 and ended_as is null or ended_as = 'failure'`;
