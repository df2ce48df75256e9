// Sums of the last days for the first page of a workspace. They cost one sum of the stored counts, and no durations.
import { column, floorTo, idAt, idTime, quarterMs, statement, type AccountReader } from '@service/database';
import { z } from 'zod';
import { allEndpoints } from './delivery-count.ts';

/** Most deliveries are in stored counts. Of the others in one time, such as failed or waiting ones, at most so many are counted. */
const countedMax = 1_000_000;

const sums = z.object({
  /** An upper limit, when more failed than are counted. */
  success: z.int(),
  failure: z.int(),
});

export const DeliveryTrendOutput = z.object({
  /** Failures are counted up to this number. */
  countedMax: z.int(),
  /** The last 7 days, the last 30 days and the 30 days before. Each begins at a full hour. */
  week: sums,
  current: sums,
  former: sums,
});

// Without names, so that only the partitions of the days are planned. $1 account, $2 the first ids of the times.

/** The stored counts of each time that has any. $3 the first id and $4 the end of the whole quarters. */
const sumStored = statement({
  text: `
    select number, sum(deliveries)::integer as total, max(first_id::text)::uuid as "lastId"
    from (
      select width_bucket(first_id, $2::uuid[]) as number, first_id, deliveries from deliveries.delivery_count
      where account_id = $1 and endpoint_id = '${allEndpoints}' and first_id >= $3 and first_id < $4
    ) counted
    group by number`,
  row: { number: column.integer, total: column.integer, lastId: column.id },
});

/** $3 the ends of the times, $4 the first id and $5 the end of all. */
const countEnded = statement({
  text: `
    select ended.failure, ended.cancelled
    from unnest($2::uuid[], $3::uuid[]) with ordinality as span (first_id, end_id, number)
    cross join lateral (
      select (count(*) filter (where ended_as = 'failure'))::integer as failure,
        (count(*) filter (where ended_as = 'cancelled'))::integer as cancelled
      from (
        select ended_as from deliveries.delivery
        where account_id = $1 and id >= $4 and id < $5 and id >= span.first_id and id < span.end_id
          and ended_as in ('failure', 'cancelled') limit ${countedMax}
      ) counted
    ) ended
    order by span.number`,
  row: { failure: column.integer, cancelled: column.integer },
});

/** $3 the first id and $4 the end of all, $5 the first id without a stored count. */
const countLive = statement({
  text: `
    select number, (sum(live))::integer as live, (sum(waiting))::integer as waiting from (
      (select width_bucket(id, $2::uuid[]) as number, 1 as live, 0 as waiting from deliveries.delivery
        where account_id = $1 and id >= $5 and id < $4 limit ${countedMax})
      union all
      (select width_bucket(delivery_id, $2::uuid[]), 0, 1 from deliveries.due
        where account_id = $1 and delivery_id >= $3 and delivery_id < $4 limit ${countedMax})
    ) counted
    group by number`,
  row: { number: column.integer, live: column.integer, waiting: column.integer },
});

const hourMs = 3_600_000;

/** The deliveries of the account in the last 7 and 30 days, and in the 30 days before. */
export async function readDeliveryTrend({
  query,
  accountId,
  now,
}: Pick<AccountReader, 'query' | 'accountId' | 'now'>): Promise<z.output<typeof DeliveryTrendOutput>> {
  const nextHourMs = Math.ceil(now.getTime() / hourMs) * hourMs;
  const starts = [60, 30, 7].map((days) => idAt(new Date(nextHourMs - days * 24 * hourMs)));
  const first = starts[0]!;
  const end = idAt(now);
  const [stored, ended] = await Promise.all([
    query(sumStored, [accountId, starts, first, idAt(floorTo(quarterMs, now))]),
    query(countEnded, [accountId, starts, [...starts.slice(1), end], first, end]),
  ]);
  // Quarters are counted in their order, so everything before the end of the last one is counted.
  const ends = stored.map(({ lastId }) => idTime(lastId).getTime() + quarterMs);
  const liveFrom = ends.length === 0 ? first : idAt(new Date(Math.max(...ends)));
  const others = await query(countLive, [accountId, starts, first, end, liveFrom]);
  const [former, early, week] = ended.map(({ failure, cancelled }, index) => {
    const { total = 0 } = stored.find(({ number }) => number === index + 1) ?? {};
    const { live = 0, waiting = 0 } = others.find(({ number }) => number === index + 1) ?? {};
    return { success: Math.max(0, total + live - failure - cancelled - waiting), failure };
  });
  const current = { success: early!.success + week!.success, failure: early!.failure + week!.failure };
  return { countedMax, week: week!, current, former: former! };
}
