// The statements that claim due deliveries. claim.ts sends them and reads their rows.
import { column, nullable, statement, type RowsOf, type Statement } from '@service/database';
import { suspendedAccounts } from '../account/suspended-accounts.ts';
import { joinedBody } from '../delivery.ts';
import { isFree } from '../due.ts';
import { destinationColumns, joinDestination } from '../endpoint/open-destinations.ts';
import { probeWaitSeconds } from '../endpoint/health-machine.ts';

/**
 * The settings of a connection that claims with a kept plan: it takes the index in the order of due times, also when it was made for an
 * empty queue. Only a statement that needs no other plan may be sent over it. Postgres would plan a claim of one endpoint each time,
 * because it expects ten endpoints in a kept plan.
 */
export const scanSettings =
  'set enable_seqscan = off; set enable_sort = off; set plan_cache_mode = force_generic_plan';

// Claims are not flushed to disk: a claim that is lost in a crash of Postgres was never made. In a common table expression of its
// own, so that it is evaluated before anything is written.
const withoutFlush = `relaxed as materialized (select set_config('synchronous_commit', 'off', true))`;

const isSuspended = `account_id in (${suspendedAccounts})`;

/** The columns of a claimed delivery, under the names of `ClaimedDelivery`. */
const claimed = `
  delivery_id as "deliveryId", account_id as "accountId", endpoint_id as "endpointId", attempts, tries,
  extract(epoch from due_at)::float8 as "dueAtSeconds",
  greatest(extract(epoch from now() - case when due_at = 'infinity' then now() else due_at end), 0)::float8 * 1000 as "queuedMs"`;

const claimedColumns = {
  deliveryId: column.id,
  accountId: column.id,
  endpointId: column.id,
  attempts: column.integer,
  tries: column.integer,
  dueAtSeconds: column.float,
  queuedMs: column.float,
};

/** In rows of other kinds than `taken` the columns that they do not need are null. */
const bareColumns = {
  kind: column.textOf<'taken' | 'more' | 'seen' | 'endpoint'>(),
  ...claimedColumns,
};

const completeColumns = {
  ...bareColumns,
  isTest: nullable(column.boolean),
  body: nullable(column.text),
  registrationId: nullable(column.id),
  trace: nullable(column.text),
  ...destinationColumns,
};

/** The parts of a claim's answer. */
interface Shape {
  /** Selects the rows of `taken`. */
  taken: string;
  /** The further columns of rows of other kinds. */
  nulls: string;
  /** Adds rows `endpoint` for these (account_id, endpoint_id). */
  endpoints(of: string): string;
}

const bare: Shape = { taken: `select 'taken' as kind, taken.* from taken`, nulls: '', endpoints: () => '' };

const contentNulls = 'null::boolean, null::text, null::uuid, null::text';
const destinationNulls = `
  null::text as url, null::text as "sealedSecret", null::boolean as enabled, null::boolean as "hasAnswered",
  null::boolean as "isSuspended", null::text as health`;

/**
 * Longer bodies are read over the pool. A claim of new deliveries waits for the answers of earlier claims, and one with 256 bodies of this
 * length takes about 10 ms.
 */
const claimedBodyBytesMax = 8000;

/** Also with what is sent, and where: each endpoint once. Long bodies are left out. */
const complete: Shape = {
  taken: `
    select 'taken' as kind, taken.*, content.*, ${destinationNulls}
    from taken
    left join lateral (
      select delivery.is_test as "isTest",
        case when octet_length(${joinedBody}) <= ${claimedBodyBytesMax} then ${joinedBody} end as body,
        delivery.registration_id as "registrationId", delivery.trace
      from deliveries.delivery as delivery
      left join deliveries.body as kept
        on kept.id = coalesce(delivery.body_id, delivery.id) and kept.account_id = delivery.account_id
      where delivery.id = taken."deliveryId" and delivery.account_id = taken."accountId"
      limit 1
    ) content on true`,
  nulls: `, ${contentNulls}, ${destinationNulls}`,
  endpoints: (of) => `
    union all
    select 'endpoint', null::uuid, account_id, endpoint_id, null::integer, null::integer, null::float8, null::float8, ${contentNulls}, destination.*
    from (${of}) named ${joinDestination({ account: 'named.account_id', endpoint: 'named.endpoint_id' })}`,
};

export interface ClaimStatements {
  bare: Statement<RowOfClaim>;
  /** Sent with the partitions of one day: a kept plan for a whole partitioned table locks all its partitions each time. */
  complete: Statement<RowOfClaim>;
}

export type RowOfClaim = RowsOf<ReturnType<typeof bareClaim>> &
  Partial<RowsOf<ReturnType<typeof completeClaim>>>;

const allAccounts = 'A worker sends the deliveries of every account.';

const bareClaim = (text: string) => statement({ text, row: bareColumns, allAccounts });

const completeClaim = (name: string, text: string) =>
  statement({ name, text, row: completeColumns, allAccounts });

/**
 * Scans the oldest $4 deliveries that have been due since $1 (epoch seconds), without the endpoints $2 and the accounts $3, and
 * claims up to $5 of each endpoint and up to $6 of each account, with token $7 for worker $8 and $9 seconds. Returns a row
 * `taken` for each claimed delivery, a row `more` for each endpoint with deliveries that were scanned and not claimed, and one
 * row `seen`: how many were scanned, and the due time of the last one. The arrays of ctid let only the chosen rows be visited.
 */
const oldestOf = (condition: string, { taken, nulls, endpoints }: Shape): string => `
  with ${withoutFlush}, candidate as materialized (
    select due.ctid, due_at, account_id, endpoint_id from relaxed, deliveries.due
    where ${condition} and due_at > to_timestamp($1) and due_at <= now() and ${isFree}
      and endpoint_id <> all($2::uuid[]) and account_id <> all($3::uuid[]) and not ${isSuspended}
    order by due_at limit $4 for update of due skip locked
  ), ranked as (
    select ctid, account_id, endpoint_id,
      row_number() over (partition by endpoint_id order by due_at) as place,
      row_number() over (partition by account_id order by due_at) as account_place
    from candidate
  ), taken as (
    update deliveries.due set claim = $7, worker = $8, leased_until = now() + make_interval(secs => $9)
    where ctid = any(array(select ctid from ranked where place <= $5 and account_place <= $6))
    returning ${claimed}
  )
  ${taken}
  union all
  select distinct 'more', null::uuid, account_id, endpoint_id, null::integer, null::integer, null::float8, null::float8${nulls}
  from ranked where place > $5 or account_place > $6
  union all
  select 'seen', null, null, null, count(*)::integer, null, extract(epoch from coalesce(max(due_at), now()))::float8, null${nulls}
  from candidate
  ${endpoints('select distinct "accountId" as account_id, "endpointId" as endpoint_id from taken')}`;

export const oldestFirstTries: ClaimStatements = {
  bare: bareClaim(oldestOf('attempts = 0', bare)),
  complete: completeClaim('deliveries.claim_first_tries', oldestOf('attempts = 0', complete)),
};

export const oldestRetries = bareClaim(oldestOf('attempts > 0', bare));

/**
 * Claims the oldest $3 deliveries of each endpoint $2 of account $1 that have been due since $4 (epoch seconds); $5 claim token,
 * $6 worker, $7 lease in seconds. Without the times, a claim would step over all rows that were claimed and deleted before.
 */
const ofEndpoints = ({ taken, endpoints }: Shape): string => `
  with ${withoutFlush}, wanted as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::float8[]) as wanted (account_id, endpoint_id, count, since)
  ), taken as (
    update deliveries.due set claim = $5, worker = $6, leased_until = now() + make_interval(secs => $7)
    where ctid = any(array(
      select picked.ctid from relaxed, wanted
      cross join lateral (
        select ctid from deliveries.due
        where due.account_id = wanted.account_id and due.endpoint_id = wanted.endpoint_id
          and due_at >= to_timestamp(wanted.since - 0.001) and due_at <= now() and ${isFree}
          and not due.${isSuspended}
        order by due_at, delivery_id limit wanted.count for update skip locked
      ) picked
    ))
    returning ${claimed}
  )
  ${taken} ${endpoints('select account_id, endpoint_id from wanted')}`;

export const oldestOfEndpoints: ClaimStatements = {
  bare: bareClaim(ofEndpoints(bare)),
  complete: completeClaim('deliveries.claim_of_endpoints', ofEndpoints(complete)),
};

const probeWaits = [0, 1, 2, 3, 4, 5, 6].map(probeWaitSeconds);

/** From here on the number of probes alternates with the one below it, so that it is odd for every second probe. */
const probesMax = 100;

const parkedOfProbe = `
  select ctid from deliveries.due
  where due.account_id = probe.account_id and due.endpoint_id = probe.endpoint_id and due_at = 'infinity' and ${isFree}`;

/**
 * Claims a parked delivery of each paused endpoint whose probe is due, and sets the time of its next probe. The oldest and the
 * newest delivery take turns, because a receiver that answers again may refuse one of them every time. $1 claim token, $2 worker,
 * $3 lease in seconds.
 */
export const claimParked = statement({
  text: `
    with probe as (
      update deliveries.endpoint_health health
      set probes = probes + case when probes < ${probesMax} then 1 else -1 end,
        probe_at = now() + make_interval(secs => (array[${probeWaits.join(', ')}])[least(probes, ${probeWaits.length - 1}) + 1])
      where (endpoint_id, account_id) in (
        select endpoint_id, account_id from deliveries.endpoint_health
        where state = 'paused' and probe_at <= now() and not ${isSuspended} and exists (
          select from deliveries.due
          where due.account_id = endpoint_health.account_id and due.endpoint_id = endpoint_health.endpoint_id
            and due_at = 'infinity' and ${isFree})
        order by probe_at limit 50 for update skip locked)
      returning endpoint_id, account_id, probes % 2 = 1 as is_oldest
    )
    update deliveries.due set claim = $1, worker = $2, leased_until = now() + make_interval(secs => $3)
    where ctid = any(array(
      select picked.ctid from probe
      cross join lateral (
        select * from (${parkedOfProbe} and is_oldest order by delivery_id limit 1 for update skip locked) oldest
        union all
        select * from (${parkedOfProbe} and not is_oldest order by delivery_id desc limit 1 for update skip locked) newest
      ) picked
    ))
    returning ${claimed}`,
  allAccounts,
  row: claimedColumns,
});
