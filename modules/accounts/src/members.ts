import type { AccountReader, AccountWriter } from '@service/database';
import { lockMembers, requireAnotherOwner, roleOf } from './lock-members.ts';
import type { MemberOutput, Role } from './schemas.ts';

type MemberRow = Omit<MemberOutput, 'joinedAt'> & { joinedAt: Date };

/** Everybody in the workspace, those who joined first at the front. */
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
  /** The owner who asks. */
  ownerId: string;
  userId: string;
}

/** Takes somebody out of the workspace, with the invitations they sent. Throws member_not_found, last_owner. */
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

/** Makes a member an owner, or an owner a member. Throws member_not_found, last_owner. */
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
