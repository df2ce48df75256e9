import { column, nullable, statement } from '@service/database';

/** Deliveries that are counted one by one for a part of a bar: those without stored counts, and those that have failed or were cancelled. */
export const countedMax = 20_000;

/** Waiting deliveries that are counted together. */
const waitingMax = 100_000;

// Neither statement has a name, so that only the partitions of the time range are planned.

/**
 * The stored counts of each bar that has any. $1 account, $2 endpoints, $3 the first ids of the bars, $4 the first id and $5 the end
 * of the whole quarters, $6 how many quarters of each endpoint give durations to a bar, $7 how many durations each gives.
 */
export const selectStored = statement({
  text: `
    select number, sum(deliveries)::integer as total, max(first_id::text)::uuid as "lastId",
      string_agg(array_to_string(durations[1:$7::integer], ','), ',') filter (where rank <= $6 and durations <> '{}') as durations
    from (
      select *, row_number() over (partition by number, endpoint_id order by durations = '{}', first_id desc) as rank
      from (
        select width_bucket(first_id, $3::uuid[]) as number, endpoint_id, first_id, deliveries, durations
        from deliveries.delivery_count
        where account_id = $1 and endpoint_id = any($2::uuid[]) and first_id >= $4 and first_id < $5
      ) counted
    ) ranked
    group by number`,
  row: { number: column.integer, total: column.integer, lastId: column.id, durations: nullable(column.text) },
});

// The constant bounds keep the partitions of other days out of the plan.
const inPart = 'account_id = $1 and id >= part.first_id and id < part.end_id';
const isLive = `part.is_live and ${inPart} and id >= $8 and id < $9`;
const isOfAttempt =
  'attempt.delivery_id = sample.id and account_id = $1 and delivery_id >= $8 and delivery_id < $9';

const newestInPart = (scope: string): string => `
  select id from deliveries.delivery where ${isLive} and ${scope} order by id desc limit $10`;

// $1 account, $2 endpoints or null, $3 the first ids and $4 the ends of the parts, $5 true for those without stored counts, $6 the
// first id and $7 the end of all, $8 and $9 of those without stored counts, $10 the size of a sample, of each endpoint.
const partsOfScope = (scope: string, sample: string) =>
  statement({
    text: `
      with waiting as materialized (
        select width_bucket(delivery_id, $3::uuid[]) as number, count(*)::integer as count from (
          select delivery_id from deliveries.due
          where account_id = $1 and ${scope} and delivery_id >= $6 and delivery_id < $7 limit ${waitingMax}
        ) due group by 1
      )
      select (
          select count(*)::integer from (
            select from deliveries.delivery where ${isLive} and ${scope} limit ${countedMax}) counted
        ) as total, ended.failure, ended.cancelled, coalesce(waiting.count, 0) as waiting,
        (
          select string_agg(duration_ms::text, ',') from (${sample}) sample
          cross join lateral (
            select duration_ms from deliveries.attempt where ${isOfAttempt} order by number desc limit 1
          ) last
        ) as durations
      from unnest($3::uuid[], $4::uuid[], $5::boolean[]) with ordinality as part (first_id, end_id, is_live, number)
      cross join lateral (
        select (count(*) filter (where ended_as = 'failure'))::integer as failure,
          (count(*) filter (where ended_as = 'cancelled'))::integer as cancelled
        from (
          select ended_as from deliveries.delivery
          where ${inPart} and id >= $6 and id < $7 and ${scope} and ended_as in ('failure', 'cancelled') limit ${countedMax}
        ) counted
      ) ended
      left join waiting on waiting.number = part.number
      order by part.number`,
    row: {
      total: column.integer,
      failure: column.integer,
      cancelled: column.integer,
      waiting: column.integer,
      durations: nullable(column.text),
    },
  });

export const selectPartsOfAccount = partsOfScope('$2::uuid[] is null', newestInPart('$2::uuid[] is null'));

export const selectPartsOfEndpoints = partsOfScope(
  'endpoint_id = any($2::uuid[])',
  `select newest.id from unnest($2::uuid[]) as wanted (endpoint)
   cross join lateral (${newestInPart('endpoint_id = wanted.endpoint')}) newest`,
);
