// The lanes of connections: which have something to send, and which worker sends it.
import {
  anyOf,
  column,
  hasRow,
  isFirstDue,
  statement,
  type AccountQueries,
  type Query,
  type RowsOf,
} from '@service/database';
import { mergedColumns } from '../change/queue-changes.ts';
import type { StoredLimits } from '../entities.ts';

/** The time after which a worker that died counts as dead. A worker renews its leases long before. */
export const leaseMs = 45_000;

const lanesMax = 200;

const table = 'contacts.change';

/** True if a lane may have something to send. Also of changes that are due later: their times have no index over all accounts. */
export const hasWaitingChange = anyOf([
  hasRow({
    table,
    order: 'account_id, connection_id, is_backfill, due_at',
    where: 'not is_taken and parked_at is null',
  }),
  hasRow({ table, order: 'account_id, connection_id', where: 'is_taken' }),
  isFirstDue({ table: 'contacts.import_job', time: 'due_at' }),
]);

/** The connections that have rows in a table, by one probe of an index for each: rows are never counted. */
const connectionsIn = (name: string, table: string): string => `
    ${name} as (
      (select account_id, connection_id from ${table} order by account_id, connection_id limit 1)
      union all
      select next.account_id, next.connection_id from ${name} former cross join lateral (
        select n.account_id, n.connection_id from ${table} n
        where (n.account_id, n.connection_id) > (former.account_id, former.connection_id)
        order by n.account_id, n.connection_id limit 1
      ) next
    )`;

// $1: now, $2: at most,
// $3: connections that get no place at the moment. Taken rows without a lease are those of a worker that died.
const selectDueLanes = statement({
  name: 'contacts.select_due_lanes',
  text: `
    with recursive ${connectionsIn('waiting', 'contacts.change')}, ${connectionsIn('importing', 'contacts.import_job')}
    select w.account_id as "accountId", w.connection_id as id
    from (select account_id, connection_id from waiting union select account_id, connection_id from importing) w
    left join contacts.lane l using (account_id, connection_id)
    where w.connection_id <> all($3::uuid[]) and not coalesce(l.suspended, false)
      and coalesce(l.rest_until, '-infinity') <= $1::timestamptz and coalesce(l.lease_until, '-infinity') <= $1::timestamptz
      and (exists (select from contacts.change d where d.account_id = w.account_id and d.connection_id = w.connection_id
          and not d.is_taken and d.parked_at is null and d.due_at <= $1::timestamptz)
        or exists (select from contacts.import_job j where j.account_id = w.account_id and j.connection_id = w.connection_id
          and j.due_at <= $1::timestamptz)
        or exists (select from contacts.change t where t.account_id = w.account_id and t.connection_id = w.connection_id and t.is_taken))
    order by l.rest_until nulls first limit $2`,
  allAccounts: 'A worker sends the changes of every account.',
  row: { accountId: column.id, id: column.id },
});

export type LaneKey = RowsOf<typeof selectDueLanes>;

export const findDueLanes = (
  query: Query,
  { now, without }: { now: Date; without: readonly string[] },
): Promise<LaneKey[]> => query(selectDueLanes, [now, lanesMax, without]);

// $3 token, $4 now, $5 end of the lease. The former lease is that of a worker that died if it was not given back.
const leaseLane = statement({
  name: 'contacts.lease_lane',
  text: `
    with former as materialized (
      select lease_token from contacts.lane where account_id = $1 and connection_id = $2
    )
    insert into contacts.lane as l (account_id, connection_id, lease_token, lease_until)
    values ($1, $2, $3::uuid, $5::timestamptz)
    on conflict (account_id, connection_id) do update set lease_token = excluded.lease_token, lease_until = excluded.lease_until
    where not l.suspended and coalesce(l.lease_until, '-infinity') <= $4::timestamptz and coalesce(l.rest_until, '-infinity') <= $4::timestamptz
    returning limits, coalesce((select lease_token is not null from former), false) as "wasLost"`,
  row: { limits: column.json<StoredLimits>(), wasLost: column.boolean },
});

/** Undefined: another worker has the lane, or it rests. `wasLost`: the worker that had it died. */
export async function lease(
  query: Query,
  { accountId, id }: LaneKey,
  { token, now }: { token: string; now: Date },
): Promise<RowsOf<typeof leaseLane> | undefined> {
  const until = new Date(now.getTime() + leaseMs);
  return (await query(leaseLane, [accountId, id, token, now, until]))[0];
}

// The rows of a worker that died wait again. Its calls may have been made: all of them but events may be repeated, and an event that
// was recorded as sent is not in the row any more. $3: now.
const returnTaken = statement({
  name: 'contacts.return_taken',
  text: `
    with lost as (
      delete from contacts.change t where t.account_id = $1 and t.connection_id = $2 and t.is_taken returning t.*
    )
    insert into contacts.change as stored (account_id, connection_id, contact, is_taken, registration_id, in_step, fields, tags, lists,
      events, causes, is_backfill, run_id, is_erasure, attempts, first_at, last_at, due_at)
    select account_id, connection_id, contact, false, registration_id, in_step, fields, tags, lists, events, causes, is_backfill, run_id,
      is_erasure, attempts, first_at, last_at, $3::timestamptz
    from lost order by contact
    on conflict (account_id, connection_id, contact, is_taken) do update set ${mergedColumns('excluded', 'stored')}`,
});

export const returnLostChanges = ({ query, accountId }: AccountQueries, id: string, now: Date) =>
  query(returnTaken, [accountId, id, now]);

const releaseLane = statement({
  name: 'contacts.release_lane',
  text: `
    update contacts.lane set lease_token = null, lease_until = null, limits = $4::jsonb, rest_until = $5::timestamptz
    where account_id = $1 and connection_id = $2 and lease_token = $3::uuid`,
});

/** Gives the lane back. It rests until `restUntil`. */
export const release = (
  query: Query,
  { accountId, id }: LaneKey,
  { token, limits, restUntil }: { token: string; limits: StoredLimits; restUntil: Date | null },
) => query(releaseLane, [accountId, id, token, JSON.stringify(limits), restUntil]);

const renewLease = statement({
  name: 'contacts.renew_lease',
  text: `
    update contacts.lane set lease_until = $4::timestamptz, limits = $5::jsonb
    where account_id = $1 and connection_id = $2 and lease_token = $3::uuid returning suspended`,
  row: { suspended: column.boolean },
});

/** `suspended`: the worker has the lane, and must end. `lost`: another worker has it. */
export type LeaseState = 'valid' | 'suspended' | 'lost';

export const leaseStateOf = ([leased]: RowsOf<typeof renewLease>[]): LeaseState =>
  leased === undefined ? 'lost' : leased.suspended ? 'suspended' : 'valid';

export async function renew(
  query: Query,
  { accountId, id }: LaneKey,
  { token, now, limits }: { token: string; now: Date; limits: StoredLimits },
): Promise<LeaseState> {
  const until = new Date(now.getTime() + leaseMs);
  return leaseStateOf(await query(renewLease, [accountId, id, token, until, JSON.stringify(limits)]));
}

const restLanes = statement({
  name: 'contacts.rest_lanes',
  text: `
    insert into contacts.lane as l (account_id, connection_id, rest_until)
    select account_id, connection_id, $3::timestamptz from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, connection_id)
    order by account_id, connection_id
    on conflict (account_id, connection_id) do update set rest_until = excluded.rest_until`,
});

/** Lanes whose connections take nothing at the moment are not looked at before `until`. */
export async function rest(query: Query, lanes: readonly LaneKey[], until: Date): Promise<void> {
  if (lanes.length === 0) return;
  await query(restLanes, [lanes.map(({ accountId }) => accountId), lanes.map(({ id }) => id), until]);
}

const deleteLanes = statement({
  name: 'contacts.delete_lanes',
  text: `
    with gone as (
      delete from contacts.change c using unnest($1::uuid[], $2::uuid[]) as removed (account_id, connection_id)
      where c.account_id = removed.account_id and c.connection_id = removed.connection_id
    ), unread as (
      delete from contacts.import_job i using unnest($1::uuid[], $2::uuid[]) as lost (account_id, connection_id)
      where i.account_id = lost.account_id and i.connection_id = lost.connection_id
    )
    delete from contacts.lane l using unnest($1::uuid[], $2::uuid[]) as dead (account_id, connection_id)
    where l.account_id = dead.account_id and l.connection_id = dead.connection_id`,
});

/** After a connection was removed, its changes have no aim. */
export async function removeLanes(query: Query, lanes: readonly LaneKey[]): Promise<void> {
  if (lanes.length === 0) return;
  await query(deleteLanes, [lanes.map(({ accountId }) => accountId), lanes.map(({ id }) => id)]);
}

const suspendLanes = statement({
  name: 'contacts.suspend_lanes',
  text: `
    insert into contacts.lane as l (account_id, connection_id, suspended) select $1, id, $3 from unnest($2::uuid[]) as id order by id
    on conflict (account_id, connection_id) do update set suspended = excluded.suspended`,
});

/** Nothing is sent for a suspended account. */
export async function setSuspended(
  { query, accountId }: AccountQueries,
  connectionIds: readonly string[],
  suspended: boolean,
): Promise<void> {
  await query(suspendLanes, [accountId, connectionIds, suspended]);
}
