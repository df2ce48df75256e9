// Deliveries of a suspended account are never claimed: every statement that claims leaves these accounts out. Deliveries that
// have become due are parked (`due_at = 'infinity'`), so that scans do not step over them again and again. After the account is
// resumed they are released, a limited number each second.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { column, statement, type Query } from '@service/database';
import { isFree } from '../due.ts';

/** An account for which nothing is sent. After it is resumed, its row stays until its parked deliveries are released. */
export const SuspendedAccount = defineEntity({
  name: 'DeliveriesSuspendedAccount',
  tableName: 'suspended_account',
  schema: 'deliveries',
  properties: {
    accountId: p.uuid().primary(),
    /** Null while the account is suspended. */
    resumedAt: p.datetime(3).nullable(),
  },
});

/** Rows that one statement parks or releases. */
const batchMax = 5000;

/** The accounts that are suspended now. */
export const suspendedAccounts = `select account_id from deliveries.suspended_account where resumed_at is null`;

/** True if the account of a row is suspended now. */
export const isSuspended = (row: string): string => `
  exists (select from deliveries.suspended_account suspended
    where suspended.account_id = ${row}.account_id and suspended.resumed_at is null)`;

/** A worker may park a delivery that it claimed just before the account was resumed. After this time no worker does. */
const lastCheck = `interval '10 seconds'`;

const dueOf = (condition: string): string => `
  (select ctid from deliveries.due
   where ${condition} and due_at <= now() and ${isFree} and account_id in (${suspendedAccounts})
   order by due_at limit ${batchMax} for update skip locked)`;

/** Parks deliveries that have become due. Both parts are read from the indexes of the claims, where parked rows come last. */
export const parkDue = statement({
  text: `
    update deliveries.due set due_at = 'infinity'
    where exists (${suspendedAccounts})
      and ctid = any(array(select * from ${dueOf('attempts = 0')} first_tries union all select * from ${dueOf('attempts > 0')} retries))`,
  allAccounts: 'The upkeep of a worker serves every account.',
});

/**
 * Releases parked deliveries of resumed accounts, the oldest of each endpoint first. Deliveries to a paused or draining endpoint
 * stay parked. The row of an account without parked deliveries is deleted.
 */
export const releaseParked = statement({
  text: `
    with resumed as materialized (
      select account_id, resumed_at from deliveries.suspended_account
      where resumed_at is not null order by resumed_at limit 10 for update skip locked
    ), picked as materialized (
      select parked.ctid, parked.account_id from resumed
      cross join lateral (
        select ctid, account_id from deliveries.due
        where due.account_id = resumed.account_id and due_at = 'infinity' and ${isFree} and not exists (
          select from deliveries.endpoint_health health
          where health.account_id = due.account_id and health.endpoint_id = due.endpoint_id and state <> 'failing')
        order by endpoint_id, delivery_id limit ${batchMax} for update skip locked
      ) parked
    ), released as (
      update deliveries.due set due_at = now(), own_due_at = null where ctid = any(array(select ctid from picked))
    ), finished as (
      delete from deliveries.suspended_account account using resumed
      where account.account_id = resumed.account_id and resumed.resumed_at <= now() - ${lastCheck}
        and not exists (select from picked where picked.account_id = resumed.account_id)
    )
    select count(*)::integer as count from picked`,
  allAccounts: 'The upkeep of a worker serves every account.',
  row: { count: column.integer },
});

/** $1 account. */
export const suspend = statement({
  text: `
    insert into deliveries.suspended_account (account_id) values ($1)
    on conflict (account_id) do update set resumed_at = null`,
});

/** $1 account. */
export const resume = statement({
  text: `
    update deliveries.suspended_account set resumed_at = clock_timestamp()
    where account_id = $1 and resumed_at is null`,
});

const stopAll = statement({
  text: `
    insert into deliveries.suspended_account (account_id)
    select distinct account_id from deliveries.endpoint
    on conflict (account_id) do update set resumed_at = null
    returning account_id`,
  row: { account_id: column.id },
  allAccounts: 'After a restore what waits may have been sent already, in any account.',
});

const resumeAll = statement({
  text: `
    update deliveries.suspended_account set resumed_at = clock_timestamp()
    where resumed_at is null and account_id <> all($1::uuid[])
    returning account_id`,
  row: { account_id: column.id },
  allAccounts: 'What a restore has stopped goes on, in every account that is not suspended.',
});

/** Sends nothing in any account that has an endpoint now; what waits is kept. Returns the number of accounts. Idempotent. */
export const stopAllDeliveries = async (query: Query): Promise<number> => (await query(stopAll, [])).length;

/** Ends the stop in all accounts but those that are suspended. Returns their number. */
export const resumeAllDeliveries = async (query: Query, suspended: readonly string[]): Promise<number> =>
  (await query(resumeAll, [suspended])).length;
