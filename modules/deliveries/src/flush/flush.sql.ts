// Everything that waits is parked, and the drain of its endpoint releases it at the endpoint's rate. So a flush cannot flood an
// endpoint, and an endpoint that fails again is paused after five failures, with the rest of the flush still parked. A delivery
// keeps its own time in `own_due_at` until it is released, so that the flush can be stopped.
import { column, nullable, statement } from '@service/database';
import { drainStart } from '../endpoint/health-machine.ts';
import { isFree } from '../is-free.ts';
import { flushStates, waitingCountMax } from './flush.ts';

/** Deliveries that one statement parks. */
const batchMax = 5000;

const [running, done, cancelled] = flushStates;

/** $1 account, $2 endpoint. */
const waiting = `
  select delivery_id, due_at from deliveries.due
  where account_id = $1 and endpoint_id = $2 and due_at > now() and ${isFree}
  order by due_at limit ${waitingCountMax}`;

// These have no name, so that they are planned for the current queue.

/** $1 account, $2 endpoint. */
export const countWaiting = statement({
  text: `select count(*)::integer as count from (${waiting}) waiting`,
  row: { count: column.integer },
});

/** $1 account, $2 endpoint. One row: what waits, and the last flush with what is left of it. */
export const selectWaiting = statement({
  text: `
    with waiting as materialized (${waiting}),
    flush as materialized (select * from deliveries.flush where account_id = $1 and endpoint_id = $2)
    select (select count(*)::integer from waiting) as count,
      (select delivery_id from waiting order by delivery_id limit 1) as "oldestId",
      (select due_at from waiting where due_at < 'infinity' order by due_at limit 1) as "nextAttemptAt",
      flush.id, flush.state, flush.is_stopping as "isStopping", flush.total, flush.started_at as "startedAt", flush.finished_at as "finishedAt",
      (select count(*)::integer from waiting
       where flush.state = '${running}' and delivery_id < flush.id
         and (due_at = 'infinity' or (not flush.is_parked and due_at >= flush.parked_until))) as "left"
    from (select) one left join flush on true`,
  row: {
    count: column.integer,
    oldestId: nullable(column.id),
    nextAttemptAt: nullable(column.time),
    id: nullable(column.id),
    state: nullable(column.textOf<(typeof flushStates)[number]>()),
    isStopping: nullable(column.boolean),
    total: nullable(column.integer),
    startedAt: nullable(column.time),
    finishedAt: nullable(column.time),
    left: column.integer,
  },
});

/** $1 account, $2 endpoint, $3 id, $4 total. Returns no row while a flush of the endpoint is running. */
export const startFlush = statement({
  text: `
    insert into deliveries.flush as flush
      (account_id, endpoint_id, id, state, total, parked_until, is_parked, next_at, started_at)
    values ($1, $2, $3, '${running}', $4, now(), false, now(), now())
    on conflict (account_id, endpoint_id) do update
    set id = excluded.id, state = excluded.state, total = excluded.total, parked_until = excluded.parked_until,
      is_parked = excluded.is_parked, is_stopping = false, next_at = excluded.next_at, started_at = excluded.started_at, finished_at = null
    where flush.state <> '${running}'
    returning id`,
  row: { id: column.id },
});

/** $1 account, $2 endpoint. An endpoint that is paused or draining already stays so. */
export const ensureDrain = statement({
  text: `
    insert into deliveries.endpoint_health as health
      (account_id, endpoint_id, state, failures, since, probe_at, probes, drain_rate)
    values ($1, $2, '${drainStart.state}', 0, now(), now(), 0, ${drainStart.drainRate})
    on conflict (endpoint_id, account_id) do update
    set state = excluded.state, failures = 0, probes = 0, probe_at = now(), drain_rate = excluded.drain_rate
    where health.state = 'failing'`,
});

/**
 * $1 account, $2 endpoint. Parks the next share in the order of due times, so that a delivery that fails in the meantime is seldom
 * parked a second time.
 */
export const parkShare = statement({
  text: `
    with flush as materialized (
      select * from deliveries.flush where account_id = $1 and endpoint_id = $2
    ), share as materialized (
      select due.ctid, due_at from flush, deliveries.due
      where due.account_id = $1 and due.endpoint_id = $2 and due_at >= flush.parked_until and due_at > now()
        and due_at < 'infinity' and delivery_id < flush.id and ${isFree}
      order by due_at, delivery_id limit ${batchMax} for update of due skip locked
    ), parked as (
      update deliveries.due set due_at = 'infinity', own_due_at = due_at
      where account_id = $1 and ctid = any(array(select ctid from share))
    )
    update deliveries.flush
    set parked_until = coalesce((select max(due_at) from share), parked_until),
      is_parked = (select count(*) < ${batchMax} from share), next_at = clock_timestamp()
    where account_id = $1 and endpoint_id = $2`,
});

/** The flush that has waited longest and that no other worker has locked. */
export const lockNextFlush = statement({
  text: `
    select account_id as "accountId", endpoint_id as "endpointId", is_parked as "isParked",
      is_stopping as "isStopping"
    from deliveries.flush
    where state = '${running}' and next_at <= now() order by next_at limit 1 for update skip locked`,
  allAccounts: 'Workers advance the flushes of every account.',
  row: {
    accountId: column.id,
    endpointId: column.id,
    isParked: column.boolean,
    isStopping: column.boolean,
  },
});

/** $1 account, $2 endpoint, $3 seconds until the next check. Ends a flush when none of its deliveries is parked any more. */
export const finishFlush = statement({
  text: `
    with rest as materialized (
      select exists (
        select from deliveries.flush join deliveries.due
          on due.account_id = flush.account_id and due.endpoint_id = flush.endpoint_id
        where flush.account_id = $1 and flush.endpoint_id = $2 and due_at = 'infinity' and delivery_id < flush.id
      ) as waits
    )
    update deliveries.flush
    set state = case when waits then '${running}' else '${done}' end, finished_at = case when waits then null else now() end,
      next_at = clock_timestamp() + make_interval(secs => $3)
    from rest where account_id = $1 and endpoint_id = $2
    returning state`,
  row: { state: column.textOf<(typeof flushStates)[number]>() },
});

/** $1 account, $2 endpoint. The endpoint is switched off or deleted. */
export const endFlush = statement({
  text: `
    update deliveries.flush set state = '${done}', is_stopping = false, finished_at = now()
    where account_id = $1 and endpoint_id = $2`,
});

/** $1 account, $2 endpoint. Returns no row unless a flush of the endpoint is running. */
export const stopFlush = statement({
  text: `
    update deliveries.flush set is_stopping = true, next_at = now()
    where account_id = $1 and endpoint_id = $2 and state = '${running}' returning id`,
  row: { id: column.id },
});

/**
 * $1 account, $2 endpoint. Gives the next share of a stopped flush its own time again, and ends the flush after the last one. A
 * delivery whose own time has passed stays parked: it is due, and the drain releases it at its rate.
 */
export const restoreShare = statement({
  text: `
    with share as materialized (
      select due.ctid from deliveries.flush
      join deliveries.due on due.account_id = flush.account_id and due.endpoint_id = flush.endpoint_id
      where flush.account_id = $1 and flush.endpoint_id = $2 and due_at = 'infinity' and own_due_at > now()
        and delivery_id < flush.id and ${isFree}
      order by delivery_id limit ${batchMax} for update of due skip locked
    ), restored as (
      update deliveries.due set due_at = own_due_at, own_due_at = null
      where account_id = $1 and ctid = any(array(select ctid from share))
    ), rest as (
      select count(*) = ${batchMax} as waits from share
    )
    update deliveries.flush
    set state = case when waits then state else '${cancelled}' end, is_stopping = waits,
      finished_at = case when waits then null else now() end, next_at = clock_timestamp()
    from rest where account_id = $1 and endpoint_id = $2
    returning state`,
  row: { state: column.textOf<(typeof flushStates)[number]>() },
});
