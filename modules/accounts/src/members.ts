import { column, statement, type AccountReader, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { accountErrors } from './errors.ts';
import type { MemberOutput, Role } from './schemas.ts';

/** Members of a workspace at most. The list of members has no other limit. */
export const membersMax = 500;

const selectMembers = statement({
  name: 'accounts.select_members',
  text: `
    select u.id as "userId", u.name, u.email, m.role, m."createdAt" as "joinedAt"
    from accounts.member m
    join accounts."user" u on u.id = m."userId"
    where m."organizationId" = $1
    order by m.id`,
  row: {
    userId: column.text,
    name: column.text,
    email: column.text,
    role: column.textOf<Role>(),
    joinedAt: column.time,
  },
});

/** The members of the workspace in the order in which they joined. */
export async function listMembers({ query, accountId }: AccountReader): Promise<MemberOutput[]> {
  const rows = await query(selectMembers, [accountId]);
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }));
}

interface MemberChange {
  /** The owner who makes the change. */
  ownerId: string;
  userId: string;
}

/** Called in the transaction in which a member is removed or leaves. */
export interface MembershipSubscriber {
  memberRemoved(tx: AccountWriter, userId: string, options: RemovalOptions): Promise<void>;
}

interface RemovalOptions {
  /** The API keys that the member made end too. */
  revokesKeys: boolean;
}

/** Removes a member and cancels the invitations that they sent. Returns their name. Throws member_not_found, last_owner. */
export async function removeMember(
  tx: AccountWriter,
  { ownerId, userId, revokesKeys }: MemberChange & RemovalOptions,
  subscriber: MembershipSubscriber,
): Promise<string> {
  await lockMembers(tx, ownerId);
  return endMembership(tx, { userId, revokesKeys }, subscriber);
}

/** Ends the membership of the caller. Their API keys go on working. Throws member_not_found, last_owner. */
export async function leaveWorkspace(
  tx: AccountWriter,
  userId: string,
  subscriber: MembershipSubscriber,
): Promise<void> {
  await tx.query(lockWorkspace, [tx.accountId]);
  await endMembership(tx, { userId, revokesKeys: false }, subscriber);
}

/** Returns the name of the member. The membership must be locked. */
async function endMembership(
  tx: AccountWriter,
  { userId, revokesKeys }: { userId: string } & RemovalOptions,
  subscriber: MembershipSubscriber,
): Promise<string> {
  if ((await roleOf(tx, userId)) === 'owner') await requireAnotherOwner(tx, userId);
  const [member] = await tx.query(deleteMember, [tx.accountId, userId]);
  await tx.query(cancelInvitations, [tx.accountId, userId]);
  await subscriber.memberRemoved(tx, userId, { revokesKeys });
  return member!.name;
}

const deleteMember = statement({
  name: 'accounts.delete_member',
  text: `
    delete from accounts.member m using accounts."user" u
    where m."organizationId" = $1 and m."userId" = $2 and u.id = m."userId" returning u.name`,
  row: { name: column.text },
});

const cancelInvitations = statement({
  name: 'accounts.cancel_invitations_of_member',
  text: `
    update accounts.invitation set status = 'canceled'
    where "organizationId" = $1 and "inviterId" = $2 and status = 'pending'`,
});

/**
 * Changes the role of a member. Cancels the invitations of an owner who becomes a member: one of them could make another of their
 * addresses an owner. Throws member_not_found, last_owner.
 */
export async function setRole(
  tx: AccountWriter,
  { ownerId, userId, role }: MemberChange & { role: Role },
): Promise<void> {
  await lockMembers(tx, ownerId);
  const former = await roleOf(tx, userId);
  if (former === 'owner' && role !== 'owner') {
    await requireAnotherOwner(tx, userId);
    await tx.query(cancelInvitations, [tx.accountId, userId]);
  }
  await tx.query(updateRole, [tx.accountId, userId, role]);
}

const updateRole = statement({
  name: 'accounts.update_role',
  text: 'update accounts.member set role = $3 where "organizationId" = $1 and "userId" = $2',
});

const lockWorkspace = statement({
  name: 'accounts.lock_workspace',
  text: 'select from accounts.organization where id = $1 for no key update',
});

/**
 * Locks the membership of the workspace and checks that the caller is still an owner. Two owners must not remove each other at
 * once.
 */
export async function lockMembers(tx: AccountWriter, ownerId: string): Promise<void> {
  await tx.query(lockWorkspace, [tx.accountId]);
  if ((await roleOf(tx, ownerId)) !== 'owner') throw commonErrors.owner_required();
}

const selectRole = statement({
  name: 'accounts.select_role',
  text: 'select role from accounts.member where "organizationId" = $1 and "userId" = $2',
  row: { role: column.textOf<Role>() },
});

/** True if a user is a member of the account. */
export async function isMember({ query, accountId }: AccountWriter, userId: string): Promise<boolean> {
  return (await query(selectRole, [accountId, userId])).length > 0;
}

/** Throws member_not_found. */
async function roleOf(tx: AccountWriter, userId: string): Promise<Role> {
  const [member] = await tx.query(selectRole, [tx.accountId, userId]);
  if (!member) throw accountErrors.member_not_found();
  return member.role;
}

const findOtherOwner = statement({
  name: 'accounts.find_other_owner',
  text: `
    select from accounts.member where "organizationId" = $1 and role = 'owner' and "userId" <> $2 limit 1`,
});

/** Throws last_owner unless the workspace has another owner. The membership must be locked. */
async function requireAnotherOwner(tx: AccountWriter, userId: string): Promise<void> {
  const others = await tx.query(findOtherOwner, [tx.accountId, userId]);
  if (others.length === 0) throw accountErrors.last_owner();
}

/** The e-mail addresses of the first twenty members of a workspace, owners first. The addresses are not verified. */
export async function findMemberAddresses({
  query,
  accountId,
}: Pick<AccountReader, 'query' | 'accountId'>): Promise<string[]> {
  const rows = await query(findFirstMembers, [accountId]);
  return rows.map((row) => row.email);
}

const findFirstMembers = statement({
  name: 'accounts.find_first_members',
  text: `
    select u.email
    from accounts.member m
    join accounts."user" u on u.id = m."userId"
    where m."organizationId" = $1
    order by m.role = 'owner' desc, m.id limit 20`,
  row: { email: column.text },
});

/** The e-mail address of a user while they are a member of the account. */
export async function findMemberAddress(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  userId: string,
): Promise<string | undefined> {
  const [row] = await query(selectAddress, [accountId, userId]);
  return row?.email;
}

const selectAddress = statement({
  name: 'accounts.select_address',
  text: `
    select u.email
    from accounts.member m
    join accounts."user" u on u.id = m."userId"
    where m."organizationId" = $1 and m."userId" = $2`,
  row: { email: column.text },
});
