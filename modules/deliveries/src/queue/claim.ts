// Claims due deliveries for a worker. Leases and due times are the database's time only.
// Most statements have no name, so that each execution is planned for the current queue. A plan that was prepared when the queue
// was empty may read the whole queue: 140 ms a claim at 100,000 waiting deliveries instead of 3 ms. Planning costs 2 µs for each
// delivery of a full batch, but half a millisecond for one delivery.
import { column, inPartitions, nullable, rowsToColumns, statement, type Query } from '@service/database';
import { suspendedAccounts } from '../account/suspended-accounts.ts';
import { joinBody, joinedBody, lowestBodyId } from '../delivery.ts';
import { isFree } from '../due.ts';
import type { EndpointKey } from '../endpoint/endpoint.ts';
import { sealedDestination, type SealedDestination } from '../endpoint/open-destinations.ts';
import { probeWaitSeconds } from '../endpoint/health-machine.ts';
import { deliveryPartitionedTables } from '../migrations/index.ts';
import type { ClaimedDelivery, Lease } from './lease.ts';

interface ScanOptions {
  /** Only deliveries that became due after this, in epoch seconds of the database. */
  since: number;
  /** The number of deliveries to scan. */
  limit: number;
  withoutEndpoints: readonly string[];
  withoutAccounts: readonly string[];
  /** The most that is claimed for one endpoint. */
  endpointMax: number;
  /** The most that is claimed for one account. */
  accountMax: number;
}

export interface Claimed {
  rows: ClaimedRow[];
  /** Destinations that the claim has read too. */
  destinations?: ClaimedDestination[];
}

export interface ClaimedDestination extends EndpointKey {
  destination: SealedDestination;
}

interface ClaimedOldest extends Claimed {
  /** Endpoints with deliveries that were scanned and not claimed. */
  more: EndpointKey[];
  /** The number of scanned deliveries; `until` is the due time of the last one. */
  seen: number;
  until: number;
}

/** Claims the oldest due deliveries of all endpoints. Workers never wait for each other here. */
export const claimOldest = async (
  query: Query,
  lease: Lease,
  { part, ...options }: ScanOptions & { part: 'first tries' | 'retries' },
): Promise<ClaimedOldest> =>
  readScan(await query(part === 'retries' ? claimRetries : claimFirstTries, scanValues(lease, options)));

/**
 * Claims the oldest first tries. Of those that were made on the given day it also reads what is sent, and of few deliveries where they
 * are sent. `query` must be that of a connection with `scanSettings`. Throws an error of Postgres (42P01) when there are no partitions
 * of the day.
 */
export async function claimOfDay(
  query: Query,
  lease: Lease,
  { day, ...options }: ScanOptions & { day: Date },
): Promise<ClaimedOldest> {
  const ofDay = inPartitions(claimWithContents, deliveryPartitionedTables, day);
  const rows = await query(ofDay, scanValues(lease, options));
  const destinations: ClaimedDestination[] = [];
  const claimed = readScan(
    rows.map(({ isTest, body, registrationId, trace, destination, ...row }) => {
      const { accountId, endpointId } = row;
      if (destination) destinations.push({ accountId, endpointId, destination });
      // A body that was not found may be in the partition of another day.
      return { ...row, ...(body !== null && { content: { isTest: isTest!, body, registrationId, trace } }) };
    }),
  );
  return { ...claimed, destinations };
}

const scanValues = (lease: Lease, options: ScanOptions): unknown[] => [
  options.since,
  options.withoutEndpoints,
  options.withoutAccounts,
  options.limit,
  options.endpointMax,
  options.accountMax,
  lease.token,
  lease.worker,
  lease.seconds,
];

function readScan(rows: (ClaimedRow & { kind: 'taken' | 'more' | 'seen' })[]): ClaimedOldest {
  const seen = rows.find(({ kind }) => kind === 'seen')!;
  return {
    rows: rows.filter(({ kind }) => kind === 'taken'),
    more: rows.filter(({ kind }) => kind === 'more'),
    seen: seen.attempts,
    until: seen.dueAtSeconds,
  };
}

/** Claims the oldest deliveries of some endpoints that became due since a time, `count` of each. */
export async function claimOfEndpoints(
  query: Query,
  lease: Lease,
  wanted: readonly (EndpointKey & { count: number; since: number })[],
): Promise<Claimed> {
  const rows = await query(claimPart, [
    ...rowsToColumns(wanted, 'accountId', 'endpointId', 'count', 'since'),
    lease.token,
    lease.worker,
    lease.seconds,
  ]);
  return { rows };
}

/** Claims one delivery of each paused endpoint whose probe is due. */
export const claimProbes = async (query: Query, lease: Lease): Promise<Claimed> => ({
  rows: await query(claimParked, [lease.token, lease.worker, lease.seconds]),
});

/** A claimed row of the queue, with what is sent if that was read already. */
export type ClaimedRow = Omit<ClaimedDelivery, keyof Claim | keyof Content | 'joinUrl'> & {
  content?: Content;
};
type Content = Pick<ClaimedDelivery, 'isTest' | 'body' | 'registrationId' | 'trace'>;
type Claim = Pick<ClaimedDelivery, 'claim' | 'claimedAt' | 'isProbe'>;

/** Reads what is sent, of the rows without it. */
export async function loadBodies(
  query: Query,
  rows: readonly ClaimedRow[],
  claim: Claim,
): Promise<ClaimedDelivery[]> {
  const unread = rows.filter(({ content }) => content === undefined);
  const loaded = unread.length === 0 ? [] : await readContents(query, unread);
  const loadedById = new Map(loaded.map((row) => [row.id, row]));
  return rows.map(({ content, ...row }) => {
    if (content) return { ...row, ...claim, ...content };
    const found = loadedById.get(row.deliveryId);
    const isOwn = found?.account_id === row.accountId;
    const read = isOwn
      ? { isTest: found.is_test, body: found.body, registrationId: found.registration_id, trace: found.trace }
      : { isTest: false, body: null, registrationId: null, trace: null };
    return { ...row, ...claim, ...read };
  });
}

async function readContents(query: Query, rows: readonly ClaimedRow[]) {
  const ids = rows.map((row) => row.deliveryId);
  const [lowest, highest] = idRange(ids);
  return query(selectBodies, [ids, lowest, highest, lowestBodyId(lowest)]);
}

/** The lowest and the highest of some ids; ids in canonical form sort as text as they do in the database. */
export function idRange(ids: readonly string[]): [lowest: string, highest: string] {
  let [lowest, highest] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}

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

const forEveryAccount = 'A worker sends the deliveries of every account.';

/**
 * Scans the oldest $4 deliveries that have been due since $1 (epoch seconds), without the endpoints $2 and the accounts $3, and
 * claims up to $5 of each endpoint and up to $6 of each account, with token $7 for worker $8 and $9 seconds. Returns a row
 * `taken` for each claimed delivery, a row `more` for each endpoint with deliveries that were scanned and not claimed, and one
 * row `seen`: how many were scanned, and the due time of the last one. The arrays of ctid let only the chosen rows be visited.
 */
const oldestOf = (condition: string, content = { columns: '', join: '', none: '' }): string => `
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
  select 'taken' as kind, taken.*${content.columns} from taken ${content.join}
  union all
  select distinct 'more', null::uuid, account_id, endpoint_id, null::integer, null::integer, null::float8, null::float8${content.none}
  from ranked where place > $5 or account_place > $6
  union all
  select 'seen', null, null, null, count(*)::integer, null, extract(epoch from coalesce(max(due_at), now()))::float8, null${content.none}
  from candidate`;

/** In rows `more` and `seen` the columns that they do not need are null. */
const oldestRow = { kind: column.textOf<'taken' | 'more' | 'seen'>(), ...claimedColumns };

const claimFirstTries = statement({
  text: oldestOf('attempts = 0'),
  row: oldestRow,
  allAccounts: forEveryAccount,
});

const claimRetries = statement({
  text: oldestOf('attempts > 0'),
  row: oldestRow,
  allAccounts: forEveryAccount,
});

/**
 * The settings of a connection that claims with a kept plan: it takes the index in the order of due times, also when it was made for an
 * empty queue. Only a statement that needs no other plan may be sent over it.
 */
export const scanSettings = 'set enable_seqscan = off; set enable_sort = off';

/** A claim of at most this many deliveries reads their destinations too. After a larger one each endpoint is read once. */
const fewClaimed = 16;

/** Sent with the partitions of one day: a kept plan for a whole partitioned table locks all its partitions each time. */
const claimWithContents = statement({
  name: 'deliveries.claim_with_contents',
  text: oldestOf('attempts = 0', {
    columns: `, content.*,
      case when (select count(*) from taken) <= ${fewClaimed} then
        ${sealedDestination({ account: 'taken."accountId"', endpoint: 'taken."endpointId"' })} end as destination`,
    none: ', null::boolean, null::text, null::uuid, null::text, null::jsonb',
    join: `
      left join lateral (
        select delivery.is_test as "isTest", ${joinedBody} as body, delivery.registration_id as "registrationId", delivery.trace
        from deliveries.delivery as delivery
        left join deliveries.body as kept
          on kept.id = coalesce(delivery.body_id, delivery.id) and kept.account_id = delivery.account_id
        where delivery.id = taken."deliveryId" and delivery.account_id = taken."accountId"
        limit 1
      ) content on true`,
  }),
  allAccounts: forEveryAccount,
  row: {
    ...oldestRow,
    isTest: nullable(column.boolean),
    body: nullable(column.text),
    registrationId: nullable(column.id),
    trace: nullable(column.text),
    destination: nullable(column.json<SealedDestination>()),
  },
});

/**
 * Claims the oldest $3 deliveries of each endpoint $2 of account $1 that have been due since $4 (epoch seconds); $5 claim token,
 * $6 worker, $7 lease in seconds. Without the times, a claim would step over all rows that were claimed and deleted before.
 */
const claimPart = statement({
  text: `
    with ${withoutFlush}
    update deliveries.due set claim = $5, worker = $6, leased_until = now() + make_interval(secs => $7)
    where ctid = any(array(
      select picked.ctid
      from relaxed, unnest($1::uuid[], $2::uuid[], $3::integer[], $4::float8[]) as wanted (account_id, endpoint_id, count, since)
      cross join lateral (
        select ctid from deliveries.due
        where due.account_id = wanted.account_id and due.endpoint_id = wanted.endpoint_id
          and due_at >= to_timestamp(wanted.since - 0.001) and due_at <= now() and ${isFree}
          and not due.${isSuspended}
        order by due_at, delivery_id limit wanted.count for update skip locked
      ) picked
    ))
    returning ${claimed}`,
  allAccounts: forEveryAccount,
  row: claimedColumns,
});

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
const claimParked = statement({
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
  allAccounts: forEveryAccount,
  row: claimedColumns,
});

/**
 * $1 delivery ids, $2 the lowest and $3 the highest of them and $4 the lowest id of a body, which keep the partitions of all other
 * days out of the plan. The caller compares the accounts: with a condition on the account, Postgres would use the slower index of the
 * endpoints.
 */
const selectBodies = statement({
  text: `
    select delivery.id, delivery.account_id, delivery.is_test, delivery.registration_id, delivery.trace, ${joinedBody} as body
    from deliveries.delivery ${joinBody('$4', '$3')}
    where delivery.id = any($1::uuid[]) and delivery.id between $2 and $3`,
  allAccounts: 'The claimed deliveries are of several accounts.',
  row: {
    id: column.id,
    account_id: column.id,
    is_test: column.boolean,
    registration_id: nullable(column.id),
    trace: nullable(column.text),
    body: nullable(column.text),
  },
});
