import { column, idAt, idTime, nullable, statement, type AccountReader } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { isFree } from '../due.ts';

export const EndpointStatisticsOutput = z.object({
  waiting: z
    .int()
    .describe(
      'Deliveries that wait for a later try, or for a paused or halted endpoint. Counting ends after 10,000.',
    ),
  oldestWaitingAt: instant().nullable().describe('Creation time of the oldest of the counted ones.'),
  tried: z.int().describe('Of the newest 100 deliveries of the last 24 hours, those that were tried.'),
  successRate: z
    .number()
    .nullable()
    .describe('The share of these whose last attempt succeeded, from 0 to 1. Null when none was tried.'),
  p50Ms: z.int().nullable().describe('The median of the durations of these attempts.'),
  p95Ms: z.int().nullable().describe('The 95th percentile of these durations.'),
});

export type EndpointStatistics = z.input<typeof EndpointStatisticsOutput>;

const dayMs = 86_400_000;
const waitingMax = 10_000;
const sampleMax = 100;

const none: EndpointStatistics = {
  waiting: 0,
  oldestWaitingAt: null,
  tried: 0,
  successRate: null,
  p50Ms: null,
  p95Ms: null,
};

/** By endpoint, in one statement for all of them. Every endpoint of the call has an entry. */
export async function readStatistics(
  { query, accountId, now }: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  endpointIds: readonly string[],
): Promise<Map<string, EndpointStatistics>> {
  const statistics = new Map(endpointIds.map((id) => [id, none]));
  if (endpointIds.length === 0) return statistics;
  const since = idAt(new Date(now.getTime() - dayMs));
  for (const row of await query(selectStatistics, [accountId, endpointIds, since])) {
    const { endpointId, oldestId, ...numbers } = row;
    const oldestWaitingAt = oldestId === null ? null : idTime(oldestId).toISOString();
    statistics.set(endpointId, { ...numbers, oldestWaitingAt });
  }
  return statistics;
}

// $1 account, $2 endpoints, $3 the first id of the last 24 hours. Without a name, so that only the partitions of these hours are
// planned.
const selectStatistics = statement({
  text: `
    select wanted.id as "endpointId", waiting.count as waiting, waiting.oldest as "oldestId", recent.tried,
      recent.succeeded / nullif(recent.tried, 0) as "successRate", recent.p50::integer as "p50Ms", recent.p95::integer as "p95Ms"
    from unnest($2::uuid[]) as wanted (id)
    cross join lateral (
      select count(*)::integer as count, min(delivery_id::text)::uuid as oldest from (
        select delivery_id from deliveries.due
        where account_id = $1 and endpoint_id = wanted.id and due_at > now() and ${isFree}
        limit ${waitingMax}) counted
    ) waiting
    cross join lateral (
      select count(*)::integer as tried, (count(*) filter (where failure is null))::float8 as succeeded,
        percentile_disc(0.5) within group (order by duration_ms) as p50,
        percentile_disc(0.95) within group (order by duration_ms) as p95
      from (
        select id from deliveries.delivery
        where account_id = $1 and endpoint_id = wanted.id and id >= $3 order by id desc limit ${sampleMax}
      ) newest
      cross join lateral (
        select failure, duration_ms from deliveries.attempt
        where attempt.delivery_id = newest.id and account_id = $1 and delivery_id >= $3 order by number desc limit 1
      ) last
    ) recent`,
  row: {
    endpointId: column.id,
    waiting: column.integer,
    oldestId: nullable(column.id),
    tried: column.integer,
    successRate: nullable(column.float),
    p50Ms: nullable(column.integer),
    p95Ms: nullable(column.integer),
  },
});
