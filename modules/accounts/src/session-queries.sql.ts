// One statement per question about a session, prepared once per connection. The session's own expiry is checked
// each time; nothing is cached, so that a sign-out or a removal counts at once on every process.

export const findMember = {
  name: 'accounts.find_member',
  text: `
    select m."userId" as user_id, u.name, m."organizationId" as account_id, m.role,
      exists (select from accounts.suspension where account_id = m."organizationId") as is_suspended,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
    from accounts.session s
    join accounts.member m on m."userId" = s."userId"
    join accounts."user" u on u.id = s."userId"
    where s.token = $1 and s."expiresAt" > now() and m."organizationId" = $2`,
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
