// One statement per question about a session, prepared once per connection. The session's own expiry is checked
// each time; nothing is cached, so that a sign-out or a removal counts at once on every process.

/** A window that began anew, or that has room for more; beyond its limit a counter does not grow. */
const addCalls = (limit: string) => `
      used = case when excluded.started_at > current.started_at then 0 else least(current.used, ${limit}) end
        + excluded.used,
      started_at = greatest(current.started_at, excluded.started_at)
    returning used, extract(epoch from started_at)::float8 + $4 as resets_at`;

/** A session with the membership in a workspace, which may be missing. */
const findSession = `
      from accounts.session s
      join accounts."user" u on u.id = s."userId"
      left join accounts.member m on m."userId" = s."userId" and m."organizationId" = $2
      where s.token = $1 and s."expiresAt" > now()`;

const sessionColumns = `
      s."userId" as user_id, u.name, m."organizationId" as account_id, m.role,
      exists (select from accounts.suspension where account_id = m."organizationId") as is_suspended`;

/** For a database that takes no writes: nothing is counted. */
export const findMember = {
  name: 'accounts.find_member',
  text: `
    select ${sessionColumns}, null as session_window, null as account_window,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
    ${findSession}`,
};

// The session's window is always counted before the account's, so statements never wait for each other in a circle. Calls
// that their session has no room for do not count for the account: one session cannot use up the calls of its colleagues.
// Unlogged tables only are written, so the commit waits for no disk.
export const countCalls = {
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
};

export const findUser = {
  name: 'accounts.find_user',
  text: `
    select u.id, u.name, u.email
    from accounts.session s
    join accounts."user" u on u.id = s."userId"
    where s.token = $1 and s."expiresAt" > now()`,
};

export const findWorkspaces = {
  name: 'accounts.find_workspaces',
  text: `
    select o.id, o.name, o.slug, m.role
    from accounts.member m
    join accounts.organization o on o.id = m."organizationId"
    where m."userId" = $1
    order by m.id`,
};

/** $1 token, $2 seconds that a session lasts, $3 its age in seconds from which it is prolonged, $4 whether it may be. */
export const prolongSession = {
  name: 'accounts.prolong_session',
  text: `
    with found as (
      select s.id as session_id, u.id, u.name, u.email,
        $4::boolean and s."expiresAt" <= now() + make_interval(secs => $2::float8 - $3::float8) as is_due
      from accounts.session s
      join accounts."user" u on u.id = s."userId"
      where s.token = $1 and s."expiresAt" > now()
    ), prolonged as (
      update accounts.session s set "expiresAt" = now() + make_interval(secs => $2::float8), "updatedAt" = now()
      from found where s.id = found.session_id and found.is_due
      returning s.id
    )
    select found.id, found.name, found.email, exists (select from prolonged) as is_prolonged from found`,
};
