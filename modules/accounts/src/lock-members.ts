// Changes of who belongs to a workspace take turns: two owners who remove each other at once must not both succeed.
import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { accountErrors } from './errors.ts';
import type { Role } from './schemas.ts';

/** Waits for other membership changes of this workspace, then makes sure that the caller is an owner still. */
export async function lockMembers(tx: AccountWriter, ownerId: string): Promise<void> {
  await tx.em.execute('select 1 from accounts.organization where id = ? for no key update', [tx.accountId]);
  if ((await roleOf(tx, ownerId)) !== 'owner') throw commonErrors.owner_required();
}

/** A member's role. Throws member_not_found. */
export async function roleOf(tx: AccountWriter, userId: string): Promise<Role> {
  const [member] = await tx.em.execute<{ role: Role }[]>(
    'select role from accounts.member where "organizationId" = ? and "userId" = ?',
    [tx.accountId, userId],
  );
  if (!member) throw accountErrors.member_not_found();
  return member.role;
}

/** Throws last_owner when there is no owner but this one. Only true while the members are locked. */
export async function requireAnotherOwner(tx: AccountWriter, userId: string): Promise<void> {
  const others = await tx.em.execute<unknown[]>(
    `select 1 from accounts.member where "organizationId" = ? and role = 'owner' and "userId" <> ? limit 1`,
    [tx.accountId, userId],
  );
  if (others.length === 0) throw accountErrors.last_owner();
}
