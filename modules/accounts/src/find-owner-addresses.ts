import type { AccountReader } from '@service/database';

/** The e-mail addresses of a workspace's owners, those who joined first at the front. Nobody has verified them. */
export async function findOwnerAddresses({
  query,
  accountId,
}: Pick<AccountReader, 'query' | 'accountId'>): Promise<string[]> {
  const rows = await query<{ email: string }>(findOwners, [accountId]);
  return rows.map((row) => row.email);
}

const findOwners = {
  name: 'accounts.find_owners',
  text: `
    select u.email
    from accounts.member m
    join accounts."user" u on u.id = m."userId"
    where m."organizationId" = $1 and m.role = 'owner'
    order by m.id`,
};
