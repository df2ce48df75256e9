// The mails about a workspace that its members choose for themselves.
import { column, statement, type AccountReader, type AccountWriter, type Query } from '@service/database';
import type { NotificationKind, NotificationsOutput } from './schemas.ts';

const selectOwn = statement({
  name: 'accounts.select_notification_settings',
  text: 'select kind, is_on from accounts.notification_setting where account_id = $1 and user_id = $2',
  row: { kind: column.textOf<NotificationKind>(), is_on: column.boolean },
});

/** Owners get the mails about what has stopped, until they switch them off. */
const defaultsOf = (role: 'owner' | 'member'): NotificationsOutput => ({
  stopped: role === 'owner',
  failed: false,
  weekly: false,
});

export async function readNotifications(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { userId, role }: { userId: string; role: 'owner' | 'member' },
): Promise<NotificationsOutput> {
  const rows = await query(selectOwn, [accountId, userId]);
  return { ...defaultsOf(role), ...Object.fromEntries(rows.map(({ kind, is_on: isOn }) => [kind, isOn])) };
}

const upsert = statement({
  name: 'accounts.upsert_notification_setting',
  text: `
    insert into accounts.notification_setting (account_id, user_id, kind, is_on) values ($1, $2, $3, $4)
    on conflict (account_id, user_id, kind) do update set is_on = excluded.is_on`,
});

interface NotificationChange {
  userId: string;
  kind: NotificationKind;
  isOn: boolean;
}

export async function changeNotification(
  { query, accountId }: AccountWriter,
  { userId, kind, isOn }: NotificationChange,
): Promise<void> {
  await query(upsert, [accountId, userId, kind, isOn]);
}

const selectAddresses = statement({
  name: 'accounts.select_notified_addresses',
  text: `
    select u.email
    from accounts.member m
    join accounts."user" u on u.id = m."userId"
    left join accounts.notification_setting s
      on s.account_id = m."organizationId" and s.user_id = m."userId" and s.kind = $2
    where m."organizationId" = $1 and coalesce(s.is_on, m."userId" = $3 or ($2 = 'stopped' and m.role = 'owner'))
    order by m.id`,
  row: { email: column.text },
});

/**
 * The addresses of the members who want this mail, in the order in which they joined. They are not verified. `alsoUserId` gets it too, unless
 * they have switched it off.
 */
export async function findNotifiedAddresses(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  kind: NotificationKind,
  { alsoUserId = null }: { alsoUserId?: string | null } = {},
): Promise<string[]> {
  return (await query(selectAddresses, [accountId, kind, alsoUserId])).map(({ email }) => email);
}

const selectAccounts = statement({
  name: 'accounts.select_notified_accounts',
  text: `
    select distinct account_id from accounts.notification_setting
    where kind = $1 and is_on and (mailed_until is null or mailed_until < $2) and account_id > $3
    order by account_id limit 100`,
  row: { account_id: column.text },
  allAccounts: 'A worker writes the daily and weekly mails of all accounts.',
});

/** The next accounts in which somebody has switched a mail on, and had none for the time before `until`. */
export async function findNotifiedAccounts(
  query: Query,
  { kind, until }: RegularMail,
  after: string,
): Promise<string[]> {
  return (await query(selectAccounts, [kind, until, after])).map(({ account_id: accountId }) => accountId);
}

const updateMailed = statement({
  name: 'accounts.update_mailed_until',
  text: `
    with taken as (
      update accounts.notification_setting set mailed_until = $3
      where account_id = $1 and kind = $2 and is_on and (mailed_until is null or mailed_until < $3)
      returning user_id
    )
    select u.email from taken join accounts."user" u on u.id = taken.user_id order by u.id`,
  row: { email: column.text },
});

interface RegularMail {
  kind: NotificationKind;
  /** The end of the time that the mail is about. */
  until: Date;
}

/**
 * The addresses of the members who have switched a daily or weekly mail on, without those that have had it for this time. Call it in the
 * transaction that queues the mails: then a job that runs twice queues each once.
 */
export async function takeRecipients(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { kind, until }: RegularMail,
): Promise<string[]> {
  return (await query(updateMailed, [accountId, kind, until])).map(({ email }) => email);
}
