// Statements about sign-in sessions. The expiry is checked each time and no session is cached, so a sign-out or the removal of a
// member has an effect on every process at once.
import { column, nullable, statement, type RowWith } from '@service/database';
import type { Role } from './schemas.ts';
import { timeZoneColumn } from './workspace.ts';

/**
 * Adds calls to a window, or starts a new window. A counter above its limit is reduced to the limit first, so it does not grow
 * without bound.
 */
const addCalls = (limit: string) => `
      used = case when excluded.started_at > current.started_at then 0 else least(current.used, ${limit}) end
        + excluded.used,
      started_at = greatest(current.started_at, excluded.started_at)
    returning used, extract(epoch from started_at)::float8 + $4 as resets_at`;

/** A session with its membership in a workspace, if there is one. */
const findSession = `
      from accounts.session s
      join accounts."user" u on u.id = s."userId"
      left join accounts.member m on m."userId" = s."userId" and m."organizationId" = $2
      where s.token = $1 and s."expiresAt" > now()`;

const sessionColumns = `
      s."userId" as user_id, u.name, m."organizationId" as account_id, m.role,
      exists (select from accounts.suspension where account_id = m."organizationId") as is_suspended`;

export interface Window {
  used: number;
  resets_at: number;
}

const callRow = {
  user_id: column.text,
  name: column.text,
  account_id: nullable(column.text),
  role: nullable(column.textOf<Role>()),
  is_suspended: column.boolean,
  // Null when the database takes no writes.
  session_window: nullable(column.json<Window>()),
  account_window: nullable(column.json<Window>()),
  now_ms: column.float,
};

/** For a database that takes no writes. It counts no calls. */
export const findMember = statement({
  name: 'accounts.find_member',
  text: `
    select ${sessionColumns}, null::json as session_window, null::json as account_window,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
    ${findSession}`,
  row: callRow,
});

// The window of the session is always counted before that of the account, so statements never wait for each other in a circle.
// Calls beyond the limit of their session do not count for the account, so one session cannot use all calls of its account. Both
// tables are unlogged, so the commit does not wait for the disk.
export const countCalls = statement({
  name: 'accounts.count_calls',
  text: `
    with session as (
      select s.id, ${sessionColumns},
        date_bin(make_interval(secs => $4), now(), timestamptz 'epoch') as window_started_at
      ${findSession}
    ), session_window as (
      insert into accounts.session_window as current (session_id, started_at, used)
      select id, window_started_at, $3 from session
      on conflict (session_id) do update set ${addCalls('$5')}
    ), account_window as (
      insert into accounts.account_window as current (account_id, started_at, used)
      select session.account_id, session.window_started_at, $3
      from session cross join session_window
      where session.account_id is not null and session_window.used <= $5
      on conflict (account_id) do update set ${addCalls('$6')}
    )
    select session.user_id, session.name, session.account_id, session.role, session.is_suspended, to_json(session_window) as session_window,
      (select to_json(account_window) from account_window) as account_window,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
    from session cross join session_window`,
  row: callRow,
});

export const findUser = statement({
  name: 'accounts.find_user',
  text: `
    select u.id, u.name, u.email
    from accounts.session s
    join accounts."user" u on u.id = s."userId"
    where s.token = $1 and s."expiresAt" > now()`,
  row: { id: column.text, name: column.text, email: column.text },
});

export const findWorkspaces = statement({
  name: 'accounts.find_workspaces',
  text: `
    select o.id, o.name, o.slug, m.role, ${timeZoneColumn} as "timeZone"
    from accounts.member m
    join accounts.organization o on o.id = m."organizationId"
    where m."userId" = $1
    order by m.id`,
  allAccounts: 'A user may be a member of several workspaces.',
  row: {
    id: column.text,
    name: column.text,
    slug: column.text,
    role: column.textOf<Role>(),
    timeZone: column.text,
  },
});

/** $1 token, $2 seconds of a session, $3 seconds after which it is prolonged, $4 true if it may be prolonged. */
export const prolongSession = statement({
  name: 'accounts.prolong_session',
  text: `
    with found as (
      select s.id as session_id, u.id, u.name, u.email, u."emailVerified", coalesce(u."twoFactorEnabled", false) as has_two_factor,
        $4::boolean and s."expiresAt" <= now() + make_interval(secs => $2::float8 - $3::float8) as is_due
      from accounts.session s
      join accounts."user" u on u.id = s."userId"
      where s.token = $1 and s."expiresAt" > now()
    ), prolonged as (
      update accounts.session s set "expiresAt" = now() + make_interval(secs => $2::float8), "updatedAt" = now()
      from found where s.id = found.session_id and found.is_due
      returning s.id
    )
    select found.id, found.name, found.email, found."emailVerified" as "isEmailVerified",
      found.has_two_factor as "hasTwoFactor",
      exists (select from prolonged) as is_prolonged
    from found`,
  row: {
    id: column.text,
    name: column.text,
    email: column.text,
    isEmailVerified: column.boolean,
    hasTwoFactor: column.boolean,
    is_prolonged: column.boolean,
  },
});

export type CountedRow = RowWith<typeof callRow>;
