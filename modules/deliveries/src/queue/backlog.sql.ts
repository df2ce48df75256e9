/** Counts stop here: beyond it only the order of magnitude matters, and a scrape must stay cheap. */
const countedMax = 100_000;

/** Unhealthy endpoints that are asked for their oldest delivery. */
const heldEndpointsMax = 10_000;

/** Rows of the queue that meet `condition`, in the order of both its indexes, so that none is read beyond the limit. */
const count = (condition: string): string => `(
  select count(*)::int from (
    (select from deliveries.due where attempts = 0 and ${condition} order by due_at limit ${countedMax})
    union all
    (select from deliveries.due where attempts > 0 and ${condition} order by due_at limit ${countedMax})
    limit ${countedMax}
  ) counted)`;

const oldestOf = (which: string): string => `
  (select account_id, endpoint_id, due_at from deliveries.due
   where ${which} and due_at <= now() and (leased_until is null or leased_until <= now())
   order by due_at limit 1)`;

/** When a UUIDv7 was made (RFC 9562, 5.7); Postgres 15 to 17 have no function for it. */
const madeAt = (id: string): string =>
  `to_timestamp(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;

/**
 * One row. What is due includes what workers hold at this moment; the oldest is one that nobody holds. Held deliveries are found
 * through the endpoints that are not healthy, a step into the queue's index for each of them.
 */
export const measureQueue = `
  with held as materialized (
    select health.account_id, health.endpoint_id, oldest.delivery_id
    from (
      select account_id, endpoint_id from deliveries.endpoint_health where state <> 'failing' limit ${heldEndpointsMax}
    ) health
    cross join lateral (
      select delivery_id from deliveries.due
      where due.account_id = health.account_id and due.endpoint_id = health.endpoint_id and due_at = 'infinity'
      order by delivery_id limit 1
    ) oldest
  ), oldest_held as (
    select account_id, endpoint_id, extract(epoch from now() - ${madeAt('delivery_id')})::float8 as age
    from held order by delivery_id limit 1
  ), oldest_due as (
    select account_id, endpoint_id, extract(epoch from now() - due_at)::float8 as age
    from (${oldestOf('attempts = 0')} union all ${oldestOf('attempts > 0')}) oldest
    order by due_at limit 1
  ), worst as (
    select * from (select * from oldest_due union all select * from oldest_held) oldest order by age desc limit 1
  )
  select
    ${count('due_at <= now()')} as due,
    ${count(`due_at > now() and due_at < 'infinity'`)} as later,
    ${count(`due_at = 'infinity'`)} as held,
    coalesce((select age from oldest_due), 0) as oldest_due_age,
    coalesce((select age from oldest_held), 0) as oldest_held_age,
    worst.account_id, worst.endpoint_id, worst.age,
    health.failing, health.paused
  from (
    select count(*) filter (where state = 'failing')::int as failing, count(*) filter (where state = 'paused')::int as paused
    from (select state from deliveries.endpoint_health limit ${countedMax}) counted
  ) health
  left join worst on true`;
