import { roundDaysMax } from '@service/database';
import { suspendedAccounts } from '../suspension/suspension.sql.ts';

/** Failed attempts in a row that pause an endpoint, if they also lasted as long as `pauseAfter`. */
const pauseFailures = 20;
const pauseAfter = `interval '5 minutes'`;

/** While it drains it is watched more closely. */
const pauseFailuresDraining = 5;

/** Deliveries let go in the first second. */
const drainRateFirst = 16;

const lastLook = `interval '3 seconds'`;

const firstProbe = `interval '1 minute'`;

/**
 * $1 endpoint ids, $2 account ids, $3 how many attempts failed in a row, $4 whether one was answered with 410, $5 failures,
 * $6 response codes, $7 ids for notices. An endpoint that is gone meanwhile is left out.
 */
export const noteFailures = `
  with noted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::boolean[], $5::text[], $6::smallint[], $7::uuid[])
      as noted (endpoint_id, account_id, count, is_gone, failure, response_code, notice_id)
    order by endpoint_id
  ), written as (
    insert into deliveries.endpoint_health as health
      (endpoint_id, account_id, state, failures, since, probe_at, probes, drain_rate, last_failure, last_response_code)
    select noted.endpoint_id, noted.account_id, case when is_gone then 'paused' else 'failing' end, count, now(),
      case when is_gone then now() + ${firstProbe} end, 0, 0, failure, response_code
    from noted
    join deliveries.endpoint on endpoint.id = noted.endpoint_id and endpoint.account_id = noted.account_id
    on conflict (endpoint_id, account_id) do update set
      failures = health.failures + excluded.failures,
      last_failure = excluded.last_failure,
      last_response_code = excluded.last_response_code,
      state = case when excluded.state = 'paused' or ${isToPause('health', 'excluded')} then 'paused' else health.state end,
      probe_at = case
        when health.state = 'paused' then health.probe_at
        when excluded.state = 'paused' or ${isToPause('health', 'excluded')} then now() + ${firstProbe}
        else health.probe_at end
    returning endpoint_id, account_id, state, last_failure
  )
  insert into deliveries.endpoint_notice (id, account_id, endpoint_id, kind, reason, at)
  select noted.notice_id, written.account_id, written.endpoint_id, 'paused', written.last_failure, now()
  from written join noted using (endpoint_id, account_id)
  left join deliveries.endpoint_health before
    on before.endpoint_id = written.endpoint_id and before.account_id = written.account_id
  where written.state = 'paused' and before.state is distinct from 'paused'`;

function isToPause(health: string, excluded: string): string {
  const failures = `${health}.failures + ${excluded}.failures`;
  return `(
    (${health}.state = 'failing' and ${failures} >= ${pauseFailures} and ${health}.since <= now() - ${pauseAfter})
    or (${health}.state = 'draining' and ${failures} >= ${pauseFailuresDraining}))`;
}

/**
 * $1 endpoint ids, $2 account ids, $3 ids for notices: each of them has just answered well. A failing one is healthy again, a
 * paused one begins to drain.
 */
export const noteSuccesses = `
  with noted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as noted (endpoint_id, account_id, notice_id)
  ), healed as (
    delete from deliveries.endpoint_health health using noted
    where health.endpoint_id = noted.endpoint_id and health.account_id = noted.account_id and state = 'failing'
  ), draining as (
    update deliveries.endpoint_health health
    set state = 'draining', failures = 0, probes = case when state = 'paused' then 0 else probes end,
      probe_at = case when state = 'paused' then now() else probe_at end,
      drain_rate = case when state = 'paused' then ${drainRateFirst} else drain_rate end
    from noted
    where health.endpoint_id = noted.endpoint_id and health.account_id = noted.account_id and state <> 'failing'
    returning health.endpoint_id, health.account_id, notice_id
  )
  insert into deliveries.endpoint_notice (id, account_id, endpoint_id, kind, at)
  select draining.notice_id, draining.account_id, draining.endpoint_id, 'recovered', now()
  from draining join deliveries.endpoint_health before using (endpoint_id, account_id)
  where before.state = 'paused'`;

/**
 * Lets go of what is held for endpoints that answer again: 16 in the first second, then twice as many each second up to 4,096.
 * Whoever has nothing held any more is healthy, but is looked at once more before: a worker may have held a delivery that had
 * not heard of the recovery.
 */
export const drainHeld = `
  with draining as (
    select endpoint_id, account_id, drain_rate from deliveries.endpoint_health
    where state = 'draining' and probe_at <= now() and account_id not in (${suspendedAccounts})
    order by probe_at limit 50 for update skip locked
  ), picked as (
    select held.ctid, held.endpoint_id, held.account_id from draining
    cross join lateral (
      select ctid, endpoint_id, account_id from deliveries.due
      where due.account_id = draining.account_id and due.endpoint_id = draining.endpoint_id and due_at = 'infinity'
        and (leased_until is null or leased_until <= now())
      order by delivery_id limit draining.drain_rate for update skip locked
    ) held
  ), released as (
    update deliveries.due set due_at = now() where ctid = any(array(select ctid from picked))
  ), counted as (
    select endpoint_id, account_id, drain_rate,
      (select count(*) from picked where picked.endpoint_id = draining.endpoint_id) as count
    from draining
  ), healed as (
    delete from deliveries.endpoint_health health using counted
    where health.endpoint_id = counted.endpoint_id and health.account_id = counted.account_id and count = 0
  ), faster as (
    update deliveries.endpoint_health health
    set drain_rate = least(counted.drain_rate * 2, 4096),
      probe_at = now() + case when count < counted.drain_rate then ${lastLook} else interval '1 second' end
    from counted
    where health.endpoint_id = counted.endpoint_id and health.account_id = counted.account_id and count > 0
  )
  select coalesce(sum(count), 0)::integer as count from counted`;

/**
 * Lets go of what is held for nobody's sake: whoever held it had not seen that the endpoint recovered at that very moment.
 * Reads all that is held, so it is for once in a while.
 */
export const releaseForgotten = `
  update deliveries.due set due_at = now()
  where due_at = 'infinity' and (leased_until is null or leased_until <= now()) and not exists (
    select from deliveries.endpoint_health health
    where health.endpoint_id = due.endpoint_id and health.account_id = due.account_id)
    and account_id not in (select account_id from deliveries.suspended_account)`;

/** Deletes notices that were sent to owners 90 days ago or earlier, those of the oldest two days at most. */
export const forgetNotices = `
  delete from deliveries.endpoint_notice
  where told_at < least(now() - interval '90 days',
    (select min(told_at) from deliveries.endpoint_notice) + interval '${roundDaysMax} days')`;
