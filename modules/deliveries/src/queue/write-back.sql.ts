/**
 * $1 to $12 the results, column by column; $13 the lowest and $14 the highest delivery id among them. A result counts
 * only while its claim still holds. Arrays, since reading the same from JSON costs Postgres seven times as much.
 */
export const writeResults = `
  with result as materialized (
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::float8[], $6::text[], $7::timestamptz[], $8::integer[],
      $9::smallint[], $10::text[], $11::text[], $12::text[]
    ) as result (
      delivery_id, account_id, claim, number, wait_seconds, url, started_at, duration_ms, response_code,
      response_snippet, failure, failure_message)
  ), ended as (
    delete from deliveries.due using result
    where due.delivery_id = result.delivery_id and due.account_id = result.account_id and due.claim = result.claim
      and result.wait_seconds is null
    returning due.delivery_id
  ), postponed as (
    update deliveries.due
    set claim = null, leased_until = null, due_at = now() + make_interval(secs => wait_seconds), attempts = number
    from result
    where due.delivery_id = result.delivery_id and due.account_id = result.account_id and due.claim = result.claim
      and result.wait_seconds is not null
    returning due.delivery_id
  ), failed as (
    update deliveries.delivery set ended_as = 'failure'
    from ended join result using (delivery_id)
    where delivery.id = result.delivery_id and delivery.account_id = result.account_id
      and delivery.id between $13 and $14 and result.failure is not null
  )
  insert into deliveries.attempt
    (delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, failure,
     failure_message)
  select delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, failure,
    failure_message
  from (select * from ended union all select * from postponed) written join result using (delivery_id)`;
