/**
 * $1 to $20 the results, column by column; $21 the lowest and $22 the highest delivery id among them. A result counts
 * only while its claim still holds. Arrays, since reading the same from JSON costs Postgres seven times as much.
 */
export const writeResults = `
  with result as materialized (
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::float8[], $7::text[], $8::timestamptz[],
      $9::integer[], $10::smallint[], $11::text[], $12::text[], $13::text[], $14::integer[], $15::integer[],
      $16::integer[], $17::integer[], $18::text[], $19::text[], $20::text[]
    ) as result (
      delivery_id, account_id, claim, number, tries, wait_seconds, url, started_at, duration_ms, response_code,
      response_snippet, failure, failure_message, dns_ms, connect_ms, tls_ms, first_byte_ms, redirects, signature,
      standard_signature)
  ), ended as (
    delete from deliveries.due using result
    where due.delivery_id = result.delivery_id and due.account_id = result.account_id and due.claim = result.claim
      and result.wait_seconds is null
    returning result.*
  ), postponed as (
    update deliveries.due
    set claim = null, leased_until = null, attempts = number, tries = result.tries,
      due_at = case when wait_seconds = 'Infinity' then 'infinity' else now() + make_interval(secs => wait_seconds) end
    from result
    where due.delivery_id = result.delivery_id and due.account_id = result.account_id and due.claim = result.claim
      and result.wait_seconds is not null
    returning result.*
  ), failed as (
    update deliveries.delivery set ended_as = 'failure'
    from ended
    where delivery.id = ended.delivery_id and delivery.account_id = ended.account_id
      and delivery.id between $21 and $22 and ended.failure is not null
  )
  insert into deliveries.attempt
    (delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, failure,
     failure_message, dns_ms, connect_ms, tls_ms, first_byte_ms, redirects, signature, standard_signature)
  select delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, failure,
    failure_message, dns_ms, connect_ms, tls_ms, first_byte_ms, redirects::text[], signature, standard_signature
  from (select * from ended union all select * from postponed) written`;
