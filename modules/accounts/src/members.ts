import type { AccountReader, AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { accountErrors } from './errors.ts';
import type { MemberOutput, Role } from './schemas.ts';

/** Members of a workspace at most. The list of members has no other limit. */
export const membersMax = 500;

type MemberRow = Omit<MemberOutput, 'joinedAt'> & { joinedAt: Date };

/** The members of the workspace in the order in which they joined. */
export async function listMembers({ em, accountId }: AccountReader): Promise<MemberOutput[]> {
  const rows = await em.execute<MemberRow[]>(
    `select u.id as "userId", u.name, u.email, m.role, m."createdAt" as "joinedAt"
     from accounts.member m
     join accounts."user" u on u.id = m."userId"
     where m."organizationId" = ?
     order by m.id`,
    [accountId],
  );
  return rows.map((row) => ({ ...row, joinedAt: new Date(row.joinedAt).toISOString() }));
}

interface MemberChange {
  /** The owner who makes the change. */
  ownerId: string;
  userId: string;
}

/** Removes a member and cancels the invitations that they sent. Throws member_not_found, last_owner. */
export async function removeMember(tx: AccountWriter, { ownerId, userId }: MemberChange): Promise<void> {
  await lockMembers(tx, ownerId);
  if ((await roleOf(tx, userId)) === 'owner') await requireAnotherOwner(tx, userId);
  await tx.em.execute('delete from accounts.member where "organizationId" = ? and "userId" = ?', [
    tx.accountId,
    userId,
  ]);
  await tx.em.execute(
    `update accounts.invitation set status = 'canceled'
     where "organizationId" = ? and "inviterId" = ? and status = 'pending'`,
    [tx.accountId, userId],
  );
}

/** Changes the role of a member. Throws member_not_found, last_owner. */
export async function setRole(
  tx: AccountWriter,
  { ownerId, userId, role }: MemberChange & { role: Role },
): Promise<void> {
  await lockMembers(tx, ownerId);
  const former = await roleOf(tx, userId);
  if (former === 'owner' && role !== 'owner') await requireAnotherOwner(tx, userId);
  await tx.em.execute('update accounts.member set role = ? where "organizationId" = ? and "userId" = ?', [
    role,
    tx.accountId,
    userId,
  ]);
}

/**
 * Locks the membership of the workspace and checks that the caller is still an owner. Two owners must not remove each other at
 * once.
 */
export async function lockMembers(tx: AccountWriter, ownerId: string): Promise<void> {
  await tx.em.execute('select 1 from accounts.organization where id = ? for no key update', [tx.accountId]);
  if ((await roleOf(tx, ownerId)) !== 'owner') throw commonErrors.owner_required();
}

/** Throws member_not_found. */
async function roleOf(tx: AccountWriter, userId: string): Promise<Role> {
  const [member] = await tx.em.execute<{ role: Role }[]>(
    'select role from accounts.member where "organizationId" = ? and "userId" = ?',
    [tx.accountId, userId],
  );
  if (!member) throw accountErrors.member_not_found();
  return member.role;
}

/** Throws last_owner unless the workspace has another owner. The membership must be locked. */
async function requireAnotherOwner(tx: AccountWriter, userId: string): Promise<void> {
  const others = await tx.em.execute<unknown[]>(
    `select 1 from accounts.member where "organizationId" = ? and role = 'owner' and "userId" <> ? limit 1`,
    [tx.accountId, userId],
  );
  if (others.length === 0) throw accountErrors.last_owner();
}

/** The e-mail addresses of a workspace's owners, in the order in which they joined. The addresses are not verified. */
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
