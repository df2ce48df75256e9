// Everything that waits is parked, and the drain of its endpoint releases it at the endpoint's rate. So a flush cannot flood an
// endpoint, and an endpoint that fails again is paused after five failures, with the rest of the flush still parked. A delivery
// keeps its own time in `own_due_at` until it is released, so that the flush can be stopped.
import { column, createId, statement } from '@service/database';
import type { AccountWriter, Database, Transaction } from '@service/database';
import { isFree } from '../due.ts';
import { deliveryErrors } from '../errors.ts';
import { isHalted, lockEndpoint, probe } from './endpoints.ts';
import { countWaiting, flushStates, readWaiting, type FlushState, type WaitingOutput } from './flush.ts';
import { drainStart } from './health-machine.ts';

/**
 * Has everything that waits for an endpoint sent now, at the rate of its drain. The deliveries stay the same. A paused endpoint is
 * probed at once, and the rest is sent when it answers. Of several calls only the first one starts a run. Throws
 * endpoint_halted.
 */
export async function sendWaiting(tx: AccountWriter, endpointId: string): Promise<WaitingOutput> {
  const { query, accountId } = tx;
  if (await isHalted(tx, endpointId)) throw deliveryErrors.endpoint_halted();
  const total = await countWaiting(tx, endpointId);
  if (total > 0) {
    const started = await query(startFlush, [accountId, endpointId, createId(), total]);
    if (started.length > 0) {
      await query(ensureDrain, [accountId, endpointId]);
      await query(parkShare, [accountId, endpointId]);
    }
    await probe(tx, endpointId);
  }
  return readWaiting(tx, endpointId);
}

/**
 * Stops the run that sends everything that waits. Deliveries that were released are sent. The others wait for their own time again;
 * those whose time has come meanwhile are sent at the rate of the drain. Does nothing without a running run.
 */
export async function stopSending(tx: AccountWriter, endpointId: string): Promise<WaitingOutput> {
  const { query, accountId } = tx;
  const stopped = await query(stopFlush, [accountId, endpointId]);
  if (stopped.length > 0) await query(restoreShare, [accountId, endpointId]);
  return readWaiting(tx, endpointId);
}

interface AdvanceOptions {
  /** Called after a commit that changed a flush. */
  onChanged: (accountId: string, what: 'endpoints') => void;
}

/** Steps of one call, over all flushes. */
const stepsMax = 20;

const finishEverySeconds = 1;

/** Advances running flushes, one step at a time. Any number of workers may call it. */
export async function advanceFlushes(
  database: Pick<Database, 'transaction'>,
  options: AdvanceOptions,
): Promise<void> {
  for (let step = 0; step < stepsMax; step++) {
    const hasAdvanced = await database.transaction((tx) => advanceOne(tx, options));
    if (!hasAdvanced) return;
  }
}

/** False when no flush is due. The lock of a flush's row is its lease. */
async function advanceOne(tx: Transaction, { onChanged }: AdvanceOptions): Promise<boolean> {
  const [flush] = await tx.query(lockNextFlush, []);
  if (!flush) return false;
  const key = [flush.accountId, flush.endpointId];
  const announce = (): void => tx.afterCommit(() => onChanged(flush.accountId, 'endpoints'));
  const [endpoint] = await tx.query(lockEndpoint, key);
  if (!endpoint?.enabled) {
    await tx.query(endFlush, key);
    announce();
  } else if (flush.isStopping) {
    await tx.query(restoreShare, key);
    announce();
  } else if (flush.isParked) {
    const [after] = await tx.query(finishFlush, [...key, finishEverySeconds]);
    if (after!.state === 'done') announce();
  } else {
    await tx.query(ensureDrain, key);
    await tx.query(parkShare, key);
    announce();
  }
  return true;
}

/** Deliveries that one statement parks. */
const batchMax = 5000;

const [running, done, cancelled] = flushStates;

// These have no name, so that they are planned for the current queue.

/** $1 account, $2 endpoint, $3 id, $4 total. Returns no row while a flush of the endpoint is running. */
const startFlush = statement({
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
const ensureDrain = statement({
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
const parkShare = statement({
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
const lockNextFlush = statement({
  text: `
    select account_id as "accountId", endpoint_id as "endpointId", is_parked as "isParked",
      is_stopping as "isStopping"
    from deliveries.flush
    where state = '${running}' and next_at <= now() order by next_at limit 1 for update skip locked`,
  allAccounts: 'Workers advance the flushes of every account.',
  row: { accountId: column.id, endpointId: column.id, isParked: column.boolean, isStopping: column.boolean },
});

/** $1 account, $2 endpoint, $3 seconds until the next check. Ends a flush when none of its deliveries is parked any more. */
const finishFlush = statement({
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
  row: { state: column.textOf<FlushState>() },
});

/** $1 account, $2 endpoint. The endpoint is switched off or deleted. */
const endFlush = statement({
  text: `
    update deliveries.flush set state = '${done}', is_stopping = false, finished_at = now()
    where account_id = $1 and endpoint_id = $2`,
});

/** $1 account, $2 endpoint. Returns no row unless a flush of the endpoint is running. */
const stopFlush = statement({
  text: `
    update deliveries.flush set is_stopping = true, next_at = now()
    where account_id = $1 and endpoint_id = $2 and state = '${running}' returning id`,
  row: { id: column.id },
});

/**
 * $1 account, $2 endpoint. Gives the next share of a stopped flush its own time again, and ends the flush after the last one. A
 * delivery whose own time has passed stays parked: it is due, and the drain releases it at its rate.
 */
const restoreShare = statement({
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
  row: { state: column.textOf<FlushState>() },
});
