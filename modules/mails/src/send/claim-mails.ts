import { column, nullable, statement, type Query, type RowsOf } from '@service/database';
import type { MailKind } from '../content/mail-kinds.ts';
import type { MailData } from '../entities.ts';
import { addDays, addWaiting, dayOf, endedColumns } from '../queue/mail-counts.ts';
import type { Route } from './route.ts';

/** Accounts whose mails are due, those first that were served longest ago. */
export type DueAccount = RowsOf<typeof selectDueAccounts>;

const accountsMax = 200;

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
    where w.account_id is not null
      and (l.account_id is null
        or not l.suspended and coalesce(l.rest_until, '-infinity') <= now() and l.next_at <= now() + interval '1 second')
      and exists (select from mails.due d where d.account_id = w.account_id and d.due_at <= now())
    order by l.next_at nulls first limit $1`,
  allAccounts: 'A worker sends the mails of every account.',
  row: { accountId: column.id, hasLane: column.boolean },
});

export const findDueAccounts = (query: Query): Promise<DueAccount[]> =>
  query(selectDueAccounts, [accountsMax]);

const insertLane = statement({
  name: 'mails.insert_lane',
  text: 'insert into mails.lane (account_id, next_at) values ($1, now()) on conflict do nothing',
});

const restLane = statement({
  name: 'mails.rest_lane',
  text: `
    insert into mails.lane (account_id, next_at, rest_until) values ($1, now(), now() + interval '1 minute')
    on conflict (account_id) do update set rest_until = excluded.rest_until`,
});

/** Looks at the mails of an account again in a minute. Accounts without a sender must not take the turns of others. */
export const postponeAccount = (query: Query, accountId: string): Promise<unknown> =>
  query(restLane, [accountId]);

/** A mail that this worker may send until the end of its lease. */
export type ClaimedMail = RowsOf<typeof claim>;

// $2 mails a second, $3 open sends, $4 mails at most, $5 token, $6 milliseconds of the lease, $7 highest priority. The lane lets no
// two workers claim at once, so its rate and its open sends count over all of them.
const claim = statement({
  name: 'mails.claim',
  text: `
    with lane as materialized (
      select greatest(next_at, now()) as next_at from mails.lane
      where account_id = $1 and not suspended and coalesce(rest_until, '-infinity') <= now()
      for update skip locked
    ), capacity as materialized (
      select next_at, least($4::integer,
        $3::integer - (select count(*) from mails.due where account_id = $1 and claim_token is not null and due_at > now()),
        floor(extract(epoch from now() + interval '1 second' - next_at) * $2::float8))::integer as count
      from lane
    ), picked as materialized (
      select mail_id, claim_token is not null as was_lost from mails.due
      where account_id = $1 and due_at <= now() and priority <= $7::smallint
      order by priority, due_at
      limit (select greatest(coalesce(max(count), 0), 0) from capacity)
      for update skip locked
    ), claimed as (
      update mails.due d set claim_token = $5::uuid, due_at = now() + make_interval(secs => $6::float8 / 1000)
      from picked where d.account_id = $1 and d.mail_id = picked.mail_id
      returning d.mail_id, d.attempts, d.expires_at, d.uncertain_at, picked.was_lost
    ), moved as (
      update mails.lane l set next_at = capacity.next_at + make_interval(secs => (select count(*) from picked) / $2::float8)
      from capacity where l.account_id = $1
    )
    select m.id, m.webinar_id as "webinarId", m.session_id as "sessionId", m.registration_id as "registrationId", m.kind,
      m.minutes, m.purpose, m.to_address as "toAddress", m.data, c.attempts, c.expires_at as "expiresAt", c.uncertain_at as "uncertainAt",
      c.was_lost as "wasLost"
    from claimed c join mails.mail m on m.account_id = $1 and m.id = c.mail_id
    order by m.id`,
  row: {
    id: column.id,
    webinarId: column.id,
    sessionId: column.id,
    registrationId: column.id,
    kind: column.textOf<MailKind>(),
    minutes: nullable(column.integer),
    purpose: column.textOf<'service' | 'marketing'>(),
    toAddress: column.text,
    data: column.json<MailData>(),
    attempts: column.integer,
    expiresAt: column.time,
    uncertainAt: nullable(column.time),
    wasLost: column.boolean,
  },
});

interface Claim {
  limits: Route['limits'];
  countMax: number;
  token: string;
  leaseMs: number;
  priorityMax: number;
}

/** Claims due mails of an account, the urgent ones first, as its limits allow. */
export async function claimMails(
  query: Query,
  { accountId, hasLane }: DueAccount,
  { limits, countMax, token, leaseMs, priorityMax }: Claim,
): Promise<ClaimedMail[]> {
  if (!hasLane) await query(insertLane, [accountId]);
  return query(claim, [accountId, limits.perSecond, limits.open, countMax, token, leaseMs, priorityMax]);
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
    ), fewer as (
      select account_id, -count(*) as waiting from gone group by account_id
    ), ${addWaiting('fewer')}, ended as (
      select account_id, ${dayOf('now()')} as day, ${endedColumns('status')} from gone group by account_id
    ), ${addDays('ended')}
    update mails.mail m set status = gone.status
    from gone where m.account_id = gone.account_id and m.id = gone.mail_id`,
  allAccounts: 'The mails of every account expire.',
});

/** Ends mails that found no sender in time. */
export const expireMails = (query: Query): Promise<unknown> => query(expire, []);
