import { column, nullable, queryOn, statement, type Database } from '@service/database';
import { defaultQuota, type Quota } from '../account/quota.ts';
import { isFree } from '../due.ts';

/** The queue of all workers. Counts go up to 100,000. Ages are measured with the database's clock; 0 when there is none. */
export interface Backlog {
  /** May be sent now, with those in flight. */
  due: number;
  /** Wait for their next try. */
  later: number;
  /** Wait until their paused endpoint answers again, or their suspended account is resumed. */
  parked: number;
  /** Time since the oldest due delivery without a lease became due. */
  oldestDueAgeSeconds: number;
  /** Time since the oldest parked delivery was made. */
  oldestParkedAgeSeconds: number;
  /** The endpoint with the oldest due or parked delivery. */
  worstEndpoint: { accountId: string; endpointId: string; ageSeconds: number } | null;
  failingEndpoints: number;
  pausedEndpoints: number;
  /** Accounts that have reached a limit of their deliveries. */
  fullAccounts: number;
  /** The largest share that an account uses of a limit: 1 at the limit. */
  largestUse: number;
}

/** Measures the queue, cheaply enough for every scrape of every worker. */
export async function measureBacklog(pool: Database['pool'], quota: Quota = defaultQuota): Promise<Backlog> {
  const [backlog] = await queryOn(pool)(measureQueue, [quota.waitingMax, quota.bytesMax]);
  return backlog!;
}

/** Counts stop here: beyond, only the order of magnitude matters, and a scrape must stay cheap. */
const countedMax = 100_000;

/** Unhealthy endpoints whose oldest delivery is read. */
const parkedEndpointsMax = 10_000;

/** Counts rows of the queue in the order of both its indexes, so that no row is read beyond the limit. */
const count = (condition: string): string => `(
  select count(*)::int from (
    (select from deliveries.due where attempts = 0 and ${condition} order by due_at limit ${countedMax})
    union all
    (select from deliveries.due where attempts > 0 and ${condition} order by due_at limit ${countedMax})
    limit ${countedMax}
  ) counted)`;

const oldestOf = (condition: string): string => `
  (select account_id, endpoint_id, due_at from deliveries.due
   where ${condition} and due_at <= now() and ${isFree}
   order by due_at limit 1)`;

/** The time of a UUIDv7 (RFC 9562, 5.7); Postgres 15 to 17 have no function for it. */
const madeAt = (id: string): string =>
  `to_timestamp(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;

/**
 * One row; $1 and $2 are the limits of an account. `due` includes leased deliveries; the oldest due one has no lease. Parked deliveries are found through the unhealthy
 * endpoints, with one step into the queue's index for each of them. Without a name, so that each execution is planned for the
 * current queue.
 */
const measureQueue = statement({
  text: `
    with parked as materialized (
      select health.account_id, health.endpoint_id, oldest.delivery_id
      from (
        select account_id, endpoint_id from deliveries.endpoint_health where state <> 'failing' limit ${parkedEndpointsMax}
      ) health
      cross join lateral (
        select delivery_id from deliveries.due
        where due.account_id = health.account_id and due.endpoint_id = health.endpoint_id and due_at = 'infinity'
        order by delivery_id limit 1
      ) oldest
    ), oldest_parked as (
      select account_id, endpoint_id, extract(epoch from now() - ${madeAt('delivery_id')})::float8 as age
      from parked order by delivery_id limit 1
    ), oldest_due as (
      select account_id, endpoint_id, extract(epoch from now() - due_at)::float8 as age
      from (${oldestOf('attempts = 0')} union all ${oldestOf('attempts > 0')}) oldest
      order by due_at limit 1
    ), worst as (
      select * from (select * from oldest_due union all select * from oldest_parked) oldest order by age desc limit 1
    )
    select
      ${count('due_at <= now()')} as due,
      ${count(`due_at > now() and due_at < 'infinity'`)} as later,
      ${count(`due_at = 'infinity'`)} as parked,
      coalesce((select age from oldest_due), 0) as "oldestDueAgeSeconds",
      coalesce((select age from oldest_parked), 0) as "oldestParkedAgeSeconds",
      (select json_build_object('accountId', account_id, 'endpointId', endpoint_id, 'ageSeconds', age) from worst)
        as "worstEndpoint",
      health.failing as "failingEndpoints", health.paused as "pausedEndpoints",
      used.full_accounts as "fullAccounts", used.largest as "largestUse"
    from (
      select count(*) filter (where share >= 1)::int as full_accounts, greatest(coalesce(max(share), 0), 0)::float8 as largest
      from (
        select greatest(sum(waiting) / $1::bigint, sum(bytes) / $2::bigint) as share from deliveries.usage group by account_id
      ) account
    ) used, (
      select count(*) filter (where state = 'failing')::int as failing, count(*) filter (where state = 'paused')::int as paused
      from (select state from deliveries.endpoint_health limit ${countedMax}) counted
    ) health`,
  row: {
    due: column.integer,
    later: column.integer,
    parked: column.integer,
    oldestDueAgeSeconds: column.float,
    oldestParkedAgeSeconds: column.float,
    worstEndpoint: nullable(column.json<NonNullable<Backlog['worstEndpoint']>>()),
    failingEndpoints: column.integer,
    pausedEndpoints: column.integer,
    fullAccounts: column.integer,
    largestUse: column.float,
  },
  allAccounts: 'The metrics of a worker are about the whole queue.',
});
