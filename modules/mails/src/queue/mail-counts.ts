// Counts the waiting mails of an account, and how its mails of each day ended, in the transactions that write them. So neither a
// limit nor a page reads the mails themselves. As in the usage of deliveries, a transaction adds to a row that no other has locked,
// and adds a row when all are locked: it never waits, and a count is the sum of its rows.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { column, statement, type AccountQueries, type Database } from '@service/database';
import type { MailStatus } from '../entities.ts';

export const WaitingCount = defineEntity({
  name: 'MailWaitingCount',
  tableName: 'waiting_count',
  schema: 'mails',
  properties: {
    accountId: p.uuid().primary(),
    /** A random number. */
    slot: p.integer().primary().autoincrement(false),
    waiting: p.bigint('number'),
  },
});

/** Mails by the day of UTC on which they ended, and people who complained or unsubscribed on it. */
export const DayCount = defineEntity({
  name: 'MailDayCount',
  tableName: 'day_count',
  schema: 'mails',
  properties: {
    accountId: p.uuid().primary(),
    day: p.date().primary(),
    slot: p.integer().primary().autoincrement(false),
    sent: p.integer(),
    bounced: p.integer(),
    suppressed: p.integer(),
    tooLate: p.integer(),
    failed: p.integer(),
    complained: p.integer(),
    unsubscribed: p.integer(),
  },
});

/** The default of MAIL_BACKLOG_MAX. */
export const defaultBacklogMax = 500_000;

interface CountTable {
  table: string;
  keys: readonly string[];
  values: readonly string[];
}

/** Common table expressions that add the rows of `change`, one for each key. No other expression begins with the name of the table. */
function add(change: string, { table, keys, values }: CountTable): string {
  const row = `${table}_row`;
  const both = (one: string, other: string): string =>
    keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' and ');
  const sums = (one: string, other: string): string =>
    values.map((value) => `${value} = ${one}.${value} + ${other}.${value}`).join(', ');
  const columns = [...keys, 'slot', ...values].join(', ');
  return `
    ${row} as materialized (
      select ${change}.*, ${table}_free.slot from ${change}
      left join lateral (
        select slot from mails.${table} as ${table}_found where ${both(`${table}_found`, change)} order by slot limit 1 for update skip locked
      ) ${table}_free on true
    ), ${table}_added as (
      update mails.${table} as ${table}_old set ${sums(`${table}_old`, row)}
      from ${row} where ${both(`${table}_old`, row)} and ${table}_old.slot = ${row}.slot
    ), ${table}_begun as (
      insert into mails.${table} as ${table}_new (${columns})
      select ${keys.join(', ')}, 1 + floor(random() * 2147483646)::integer, ${values.join(', ')} from ${row} where slot is null
      on conflict (${[...keys, 'slot'].join(', ')}) do update set ${sums(`${table}_new`, 'excluded')}
    )`;
}

/** Adds the rows (account_id, waiting) of a common table expression. */
export const addWaiting = (change: string): string =>
  add(change, { table: 'waiting_count', keys: ['account_id'], values: ['waiting'] });

const dayValues = [
  'sent',
  'bounced',
  'suppressed',
  'too_late',
  'failed',
  'complained',
  'unsubscribed',
] as const;

/** Adds the rows (account_id, day, and each of dayValues) of a common table expression. */
export const addDays = (change: string): string =>
  add(change, { table: 'day_count', keys: ['account_id', 'day'], values: dayValues });

type DayValue = (typeof dayValues)[number];

/** The values of a row of `addDays`: an expression for some, 0 for the others. */
export const dayColumns = (given: Partial<Record<DayValue, string>>): string =>
  dayValues.map((value) => `${given[value] ?? '0'} as ${value}`).join(', ');

/** The values of a row of `addDays` for mails that ended, by the expression of their status. */
const endedColumns = (status: string): string => {
  const of = (...statuses: MailStatus[]): string =>
    `count(*) filter (where ${status} in (${statuses.map((each) => `'${each}'`).join(', ')}))`;
  return dayColumns({
    sent: of('sent', 'uncertain'),
    bounced: of('bounced'),
    suppressed: of('suppressed'),
    too_late: of('too_late'),
    failed: of('failed'),
  });
};

/** Common table expressions that count mails that have left the queue: the rows (account_id, status) of another one. `time` is theirs. */
export const countEnded = (gone: string, time = 'now()'): string => `
    fewer as (
      select account_id, -count(*) as waiting from ${gone} group by account_id
    ), ${addWaiting('fewer')}, ended as (
      select account_id, ${dayOf(time)} as day, ${endedColumns('status')} from ${gone} group by account_id
    ), ${addDays('ended')}`;

/** The day of a time in the keys of `addDays`. */
export const dayOf = (time: string): string => `(${time} at time zone 'UTC')::date`;

/**
 * Common table expressions that decide which of the rows (id) of another one exceed the limit, and count both kinds: `decided` has
 * these rows with `is_refused`. $1 is the account, and `limit` the parameter with the limit.
 */
export const refuseBeyond = (limit: string, drafts: string): string => `
    decided as materialized (
      select ${drafts}.*, row_number() over (order by id) > ${limit}::bigint
        - (select coalesce(sum(waiting), 0) from mails.waiting_count used where used.account_id = $1) as is_refused
      from ${drafts}
    ), more as (
      select $1::uuid as account_id, count(*) as waiting from decided where not is_refused having count(*) > 0
    ), ${addWaiting('more')}, refused as (
      select $1::uuid as account_id, ${dayOf('now()')} as day, ${dayColumns({ failed: 'count(*)' })}
      from decided where is_refused having count(*) > 0
    ), ${addDays('refused')}`;

/** The first status of a row of `decided`, and its reason. */
export const firstStatus = `case when is_refused then 'failed' else 'queued' end, case when is_refused then 'backlog_full' end`;

const sumOf = (value: DayValue): string => `greatest(coalesce(sum(${value}), 0), 0)::integer`;

const selectCounts = statement({
  name: 'mails.select_counts',
  text: `
    select ${sumOf('sent')} as sent, ${sumOf('bounced')} as bounced, ${sumOf('suppressed')} as suppressed,
      ${sumOf('too_late')} as "tooLate", ${sumOf('failed')} as failed, ${sumOf('complained')} as complained,
      ${sumOf('unsubscribed')} as unsubscribed,
      (select greatest(coalesce(sum(waiting), 0), 0)::integer from mails.waiting_count where account_id = $1) as waiting
    from mails.day_count where account_id = $1 and day > ${dayOf('$2::timestamptz')}`,
  row: {
    sent: column.integer,
    bounced: column.integer,
    suppressed: column.integer,
    tooLate: column.integer,
    failed: column.integer,
    complained: column.integer,
    unsubscribed: column.integer,
    waiting: column.integer,
  },
});

/** The mails of an account that ended in the last days, today included, and those that wait. */
export async function readCounts(
  { query, accountId }: AccountQueries,
  { now, days }: { now: Date; days: number },
) {
  const [counts] = await query(selectCounts, [accountId, new Date(now.getTime() - days * 86_400_000)]);
  return counts!;
}

// The queue and its count change in one transaction, so their difference in one snapshot is exact while other transactions write.
const correctWaiting = statement({
  name: 'mails.correct_waiting_counts',
  text: `
    with difference as (
      select account_id, sum(waiting)::bigint as waiting from (
        select account_id, count(*) as waiting from mails.due group by account_id
        union all
        select account_id, -sum(waiting) from mails.waiting_count group by account_id
      ) waiting
      group by account_id having sum(waiting) <> 0
    ), ${addWaiting('difference')}
    select from difference`,
  allAccounts: 'The counts of every account are corrected.',
});

const deleteDays = statement({
  name: 'mails.delete_old_day_counts',
  text: `delete from mails.day_count where day < ${dayOf('$1::timestamptz')} - 90`,
  allAccounts: 'The counts of every account are kept for 90 days.',
});

/** Makes the count of waiting mails equal to the queue, and deletes counts of days that no page shows any more. */
export async function sweepCounts({ query }: Pick<Database, 'query'>, now: Date): Promise<void> {
  await query(correctWaiting, []);
  await query(deleteDays, [now]);
}

/** The waiting mails of all accounts. */
export interface MailBacklog {
  waiting: number;
  /** Time since the oldest mail became due, of accounts whose lane takes mails now. 0 when there is none. */
  oldestDueAgeSeconds: number;
  /** The longest time for which an account with due mails was not served. 0 when there is none. */
  longestUnservedSeconds: number;
  /** Accounts that have reached the limit. */
  fullAccounts: number;
  /** The largest share that an account uses of the limit: 1 at the limit. */
  largestUse: number;
}

// One probe of an index for each account and priority. Accounts without a sender, suspended ones and those whose provider asked for
// a wait are left out: their mails wait for a person or a time, and not for workers.
const measureQueue = statement({
  text: `
    with recursive account as (
      (select account_id from mails.due order by account_id limit 1)
      union all
      select (select account_id from mails.due d where d.account_id > a.account_id order by account_id limit 1)
      from account a where a.account_id is not null
    ), oldest as (
      select least(now(), coalesce(lane.next_at, '-infinity')) as served_at, first.due_at
      from account a left join mails.lane lane using (account_id)
      cross join lateral (
        select min(head.due_at) as due_at from generate_series(0, 2) as priority cross join lateral (
          select waiting.due_at from mails.due waiting
          where waiting.account_id = a.account_id and waiting.priority = priority.priority and waiting.due_at <= now()
          order by waiting.due_at limit 1
        ) head
      ) first
      where first.due_at is not null and not coalesce(lane.suspended, false) and coalesce(lane.rest_until, '-infinity') <= now()
    )
    select
      (select coalesce(sum(waiting), 0)::float8 from mails.waiting_count) as waiting,
      coalesce((select extract(epoch from now() - min(due_at))::float8 from oldest), 0) as "oldestDueAgeSeconds",
      coalesce((select extract(epoch from now() - min(greatest(due_at, served_at)))::float8 from oldest), 0) as "longestUnservedSeconds",
      count(*) filter (where share >= 1)::integer as "fullAccounts",
      greatest(coalesce(max(share), 0), 0)::float8 as "largestUse"
    from (select sum(waiting) / $1::bigint as share from mails.waiting_count group by account_id) used`,
  row: {
    waiting: column.float,
    oldestDueAgeSeconds: column.float,
    longestUnservedSeconds: column.float,
    fullAccounts: column.integer,
    largestUse: column.float,
  },
  allAccounts: 'The metrics of a worker are about the whole queue.',
});

/** Measures the queue of all workers, cheaply enough for every scrape. */
export async function measureMails(
  { query }: Pick<Database, 'query'>,
  backlogMax = defaultBacklogMax,
): Promise<MailBacklog> {
  const [backlog] = await query(measureQueue, [backlogMax]);
  return backlog!;
}
