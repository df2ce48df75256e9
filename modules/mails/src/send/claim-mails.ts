import { column, hasRow, nullable, statement, type Query, type RowsOf } from '@service/database';
import type { Purpose, QueuedKind, Recipient } from '../content/mail-kinds.ts';
import type { MailData } from '../entities.ts';
import { countEnded } from '../queue/mail-counts.ts';
import type { Route } from './route.ts';

/** Accounts whose mails are due, those first that were served longest ago. */
export type DueAccount = RowsOf<typeof selectDueAccounts>;

const accountsMax = 200;

/** Also of mails that are due later: their times have no index over all accounts. */
export const hasWaitingMail = hasRow({ table: 'mails.due', order: 'account_id' });

/** The priority of mails that go over the sender of the installation when a connection does not work. */
export const urgentPriority = 0;

// One probe of an index for each account that has waiting mails. The mails of one account are never counted, so a hundred thousand
// reminders of one account do not delay the confirmation of another.
const selectDueAccounts = statement({
  name: 'mails.select_due_accounts',
  text: `
    with recursive waiting as (
      (select account_id from mails.due order by account_id limit 1)
      union all
      select (select account_id from mails.due d where d.account_id > w.account_id order by account_id limit 1)
      from waiting w where w.account_id is not null
    )
    select w.account_id as "accountId", l.account_id is not null as "hasLane"
    from waiting w left join mails.lane l using (account_id)
    where w.account_id <> all($2::uuid[])
      and (l.account_id is null
        or not l.suspended and coalesce(l.rest_until, '-infinity') <= now() and l.next_at <= now() + interval '1 second')
      and exists (select from mails.due d where d.account_id = w.account_id and d.due_at <= now())
    order by l.next_at nulls first limit $1`,
  allAccounts: 'A worker sends the mails of every account.',
  row: { accountId: column.id, hasLane: column.boolean },
});

export const findDueAccounts = (query: Query, without: readonly string[]): Promise<DueAccount[]> =>
  query(selectDueAccounts, [accountsMax, without]);

const insertLanes = statement({
  name: 'mails.insert_lanes',
  text: 'insert into mails.lane (account_id, next_at) select id, now() from unnest($1::uuid[]) as id order by id on conflict do nothing',
});

const restLanes = statement({
  name: 'mails.rest_lanes',
  text: `
    insert into mails.lane (account_id, next_at, rest_until)
    select id, now(), now() + interval '1 minute' from unnest($1::uuid[]) as id order by id
    on conflict (account_id) do update set rest_until = excluded.rest_until`,
});

/** Looks at the mails of these accounts again in a minute. Accounts without a sender must not take the turns of others. */
export const postponeAccounts = async (query: Query, accountIds: readonly string[]): Promise<void> => {
  if (accountIds.length > 0) await query(restLanes, [accountIds]);
};

const selectWithoutUrgent = statement({
  name: 'mails.select_accounts_without_urgent',
  text: `
    select id from unnest($1::uuid[]) as id
    where (select count(*) from (select from mails.due d
        where d.account_id = id and d.priority = ${urgentPriority} and d.due_at <= now() limit 1) urgent) = 0`,
  row: { id: column.id },
});

/** Does so for those of the accounts that have no urgent mail due. An urgent one may wait for its rate, or for another worker. */
export async function postponeIdle(query: Query, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const idle = await query(selectWithoutUrgent, [accountIds]);
  await postponeAccounts(
    query,
    idle.map(({ id }) => id),
  );
}

/** A mail that this worker may send until the end of its lease. */
export type ClaimedMail = RowsOf<typeof claim>;

// One statement for all accounts that have free places, because a mail server takes two mails of an account at once: a statement for
// each account would claim one or two mails. $1 accounts, each with $2 mails a second, $3 open sends, $4 mails at most and $5 the
// highest priority; $6 token, $7 milliseconds of the lease. The lane lets no two workers claim at once, so its rate and its open sends
// count over all of them. The limit of one row has Postgres look up each mail: without statistics it would read all mails.
const claim = statement({
  name: 'mails.claim',
  text: `
    with lane as materialized (
      select l.account_id, greatest(l.next_at, now()) as next_at, per_second, open_max, count_max, priority_max
      from unnest($1::uuid[], $2::float8[], $3::integer[], $4::integer[], $5::smallint[])
        as w (account_id, per_second, open_max, count_max, priority_max)
      join mails.lane l using (account_id)
      where not l.suspended and coalesce(l.rest_until, '-infinity') <= now()
      order by l.account_id for update of l skip locked
    ), capacity as materialized (
      select account_id, next_at, per_second, priority_max, greatest(0, least(count_max,
        open_max - (select count(*) from mails.due c where c.account_id = lane.account_id and c.claim_token is not null and c.due_at > now()),
        floor(extract(epoch from now() + interval '1 second' - next_at) * per_second)))::integer as count
      from lane
    ), picked as materialized (
      select p.account_id, p.mail_id, p.was_lost from capacity cross join lateral (
        select q.account_id, q.mail_id, q.claim_token is not null as was_lost from mails.due q
        where q.account_id = capacity.account_id and q.due_at <= now() and q.priority <= capacity.priority_max
        order by q.priority, q.due_at limit capacity.count
        for update skip locked
      ) p
    ), claimed as (
      update mails.due d set claim_token = $6::uuid, due_at = now() + make_interval(secs => $7::float8 / 1000)
      from picked where d.account_id = picked.account_id and d.mail_id = picked.mail_id
      returning d.account_id, d.mail_id, d.attempts, d.expires_at, d.uncertain_at, d.action_id, d.generation, picked.was_lost
    ), moved as (
      update mails.lane t set next_at = capacity.next_at + make_interval(secs =>
        (select count(*) from picked n where n.account_id = capacity.account_id) / capacity.per_second)
      from capacity where t.account_id = capacity.account_id
    )
    select m.*, c.action_id as "actionId", c.generation, c.attempts, c.expires_at as "expiresAt", c.uncertain_at as "uncertainAt", c.was_lost as "wasLost"
    from claimed c cross join lateral (
      select account_id as "accountId", id, webinar_id as "webinarId", session_id as "sessionId", registration_id as "registrationId",
        kind, minutes, purpose, recipient, to_address as "toAddress", data
      from mails.mail where account_id = c.account_id and id = c.mail_id limit 1
    ) m
    order by m.id`,
  row: {
    accountId: column.id,
    id: column.id,
    webinarId: column.id,
    sessionId: column.id,
    registrationId: column.id,
    kind: column.textOf<QueuedKind>(),
    minutes: nullable(column.integer),
    purpose: column.textOf<Purpose>(),
    recipient: column.textOf<Recipient>(),
    toAddress: column.text,
    data: column.json<MailData>(),
    actionId: nullable(column.id),
    generation: nullable(column.integer),
    attempts: column.integer,
    expiresAt: column.time,
    uncertainAt: nullable(column.time),
    wasLost: column.boolean,
  },
});

export interface Claim extends DueAccount {
  limits: Route['limits'];
  countMax: number;
  priorityMax: number;
}

/** Claims due mails of accounts, the urgent ones of each first, as its limits allow. */
export async function claimMails(
  query: Query,
  claims: readonly Claim[],
  { token, leaseMs }: { token: string; leaseMs: number },
): Promise<ClaimedMail[]> {
  const fresh = claims.filter(({ hasLane }) => !hasLane).map(({ accountId }) => accountId);
  if (fresh.length > 0) await query(insertLanes, [fresh]);
  return query(claim, [
    claims.map(({ accountId }) => accountId),
    claims.map(({ limits }) => limits.perSecond),
    claims.map(({ limits }) => limits.open),
    claims.map(({ countMax }) => countMax),
    claims.map(({ priorityMax }) => priorityMax),
    token,
    leaseMs,
  ]);
}

// Without a name, so that it is planned for the present tables: with a plan for empty ones it would read every mail.
const expire = statement({
  text: `
    with expired as materialized (
      select account_id, mail_id from mails.due where expires_at <= now() and due_at <= now()
      order by expires_at limit 1000 for update skip locked
    ), gone as (
      delete from mails.due d using expired e where d.account_id = e.account_id and d.mail_id = e.mail_id
      returning d.account_id, d.mail_id, case when d.claim_token is not null or d.uncertain_at is not null then 'uncertain' else 'too_late' end as status
    ), ${countEnded('gone')}
    update mails.mail m set status = gone.status
    from gone where m.account_id = gone.account_id and m.id = gone.mail_id`,
  allAccounts: 'The mails of every account expire.',
});

/** Ends mails that found no sender in time. */
export const expireMails = (query: Query): Promise<unknown> => query(expire, []);
