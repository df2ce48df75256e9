// Counts of deliveries over time. Each part of a bar reads a limited number of rows, so a chart costs the same for an account with
// a million deliveries as for one with a hundred thousand.
import { column, idAt, nullable, statement, type AccountReader } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { barsOf } from './bars.ts';

export const DeliveryHistogramOutput = z.object({
  /** The width of each bar. */
  seconds: z.number().int(),
  /** True if a bar has more deliveries than the 20,000 that are counted for one. */
  isCapped: z.boolean(),
  /** Oldest first, without gaps. A delivery belongs to the bar in which it was created. */
  bars: z.array(
    z.object({
      from: instant(),
      success: z.number().int(),
      failure: z.number().int(),
      cancelled: z.number().int(),
      /** Queued, being sent or waiting for a retry. */
      waiting: z.number().int(),
      /** Percentiles of the duration of the last attempt, of a sample of about 100 deliveries. Null without an attempt. */
      p50Ms: z.number().int().nullable(),
      p95Ms: z.number().int().nullable(),
    }),
  ),
});

export type DeliveryHistogram = z.input<typeof DeliveryHistogramOutput>;

export interface HistogramQuery {
  /** Deliveries to any of these endpoints; those of the account when left out. */
  endpointIds?: readonly string[] | undefined;
  from: Date;
  to: Date;
  /** The offset of the reader's time zone. */
  utcOffsetMinutes: number;
}

/** Deliveries that are counted for one bar. */
const barCountMax = 20_000;

/** Deliveries of a bar whose durations are read. */
const sampleMax = 100;

/** Waiting deliveries that are counted together. */
const waitingMax = 100_000;

export async function readHistogram(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { endpointIds, from, to, utcOffsetMinutes }: HistogramQuery,
): Promise<DeliveryHistogram> {
  const { widthMs, starts } = barsOf({ from, to }, utcOffsetMinutes);
  const since = starts.map((start) => idAt(start < from ? from : start));
  const before = starts.map((_, index) => idAt(starts[index + 1] ?? to));
  const each = Math.max(1, Math.floor(sampleMax / Math.max(1, endpointIds?.length ?? 1)));
  const rows = await query(endpointIds === undefined ? ofAccount : ofEndpoints, [
    accountId,
    endpointIds ?? null,
    since,
    before,
    idAt(from),
    idAt(to),
    each,
  ]);
  return {
    seconds: widthMs / 1000,
    isCapped: rows.some(({ total }) => total === barCountMax),
    bars: rows.map(({ total, failure, cancelled, waiting, p50Ms, p95Ms }, index) => ({
      from: starts[index]!.toISOString(),
      success: Math.max(0, total - failure - cancelled - waiting),
      failure,
      cancelled,
      waiting,
      p50Ms,
      p95Ms,
    })),
  };
}

/** Deliveries of a bar. The constant bounds keep the partitions of other days out of the plan. */
const inBar = `account_id = $1 and id >= bar.since and id < bar.before and id >= $5 and id < $6`;

const countOf = (scope: string, condition = ''): string => `
  (select count(*)::integer from (
    select from deliveries.delivery where ${inBar} and ${scope} ${condition} limit ${barCountMax}) counted)`;

const newestInBar = (scope: string): string => `
  select id from deliveries.delivery where ${inBar} and ${scope} order by id desc limit $7`;

// $1 account, $2 endpoints or null, $3 the first ids and $4 the ends of the bars, $5 the first id and $6 the end of all,
// $7 the size of a sample, of each endpoint. Without a name, so that only the partitions of the time range are planned.
const histogram = (scope: string, sample: string) =>
  statement({
    text: `
      with waiting as materialized (
        select width_bucket(delivery_id, $3::uuid[]) as number, count(*)::integer as count from (
          select delivery_id from deliveries.due
          where account_id = $1 and ${scope} and delivery_id >= $5 and delivery_id < $6 limit ${waitingMax}
        ) due group by 1
      )
      select ${countOf(scope)} as total, ${countOf(scope, `and ended_as = 'failure'`)} as failure,
        ${countOf(scope, `and ended_as = 'cancelled'`)} as cancelled, coalesce(waiting.count, 0) as waiting,
        durations.p50::integer as "p50Ms", durations.p95::integer as "p95Ms"
      from unnest($3::uuid[], $4::uuid[]) with ordinality as bar (since, before, number)
      cross join lateral (
        select percentile_disc(0.5) within group (order by duration_ms) as p50,
          percentile_disc(0.95) within group (order by duration_ms) as p95
        from (${sample}) sample
        cross join lateral (
          select duration_ms from deliveries.attempt
          where attempt.delivery_id = sample.id and account_id = $1 and delivery_id >= $5 and delivery_id < $6
          order by number desc limit 1
        ) last
      ) durations
      left join waiting on waiting.number = bar.number
      order by bar.number`,
    row: {
      total: column.integer,
      failure: column.integer,
      cancelled: column.integer,
      waiting: column.integer,
      p50Ms: nullable(column.integer),
      p95Ms: nullable(column.integer),
    },
  });

const ofAccount = histogram('$2::uuid[] is null', newestInBar('$2::uuid[] is null'));

const ofEndpoints = histogram(
  'endpoint_id = any($2::uuid[])',
  `select newest.id from unnest($2::uuid[]) as wanted (endpoint)
   cross join lateral (${newestInBar('endpoint_id = wanted.endpoint')}) newest`,
);
