// An owner gives the link of an invitation to the person, because the service sends no e-mail about it. The person must have the
// link and sign in with the invited address (better-auth's accept-invitation). The id of the invitation is the secret of the
// link.
import { createId, type AccountReader, type AccountWriter } from '@service/database';
import { accountErrors } from './errors.ts';
import { lockMembers, membersMax } from './members.ts';
import type { InvitationOutput, Role } from './schemas.ts';

/** Open invitations of a workspace at most. */
const invitationsMax = 100;

const invitationDays = 7;

type InvitationRow = Omit<InvitationOutput, 'createdAt' | 'expiresAt' | 'path'> & {
  createdAt: Date;
  expiresAt: Date;
};

const open = `"organizationId" = ? and status = 'pending' and "expiresAt" > ?`;

/** Open invitations, newest first. For owners only: each contains its link. */
export async function listInvitations({ em, accountId, now }: AccountReader): Promise<InvitationOutput[]> {
  const rows = await em.execute<InvitationRow[]>(
    `select id, email, role, "createdAt", "expiresAt" from accounts.invitation where ${open} order by id desc`,
    [accountId, now],
  );
  return rows.map(toOutput);
}

interface NewInvitation {
  ownerId: string;
  email: string;
  role: Role;
}

/**
 * Invites an address for a week, and cancels an open invitation to the same address. Throws already_member, member_limit_reached,
 * invitation_limit_reached.
 */
export async function invite(
  tx: AccountWriter,
  { ownerId, email, role }: NewInvitation,
): Promise<InvitationOutput> {
  await lockMembers(tx, ownerId);
  await refuseMember(tx, email);
  await tx.em.execute(`update accounts.invitation set status = 'canceled' where ${open} and email = ?`, [
    tx.accountId,
    tx.now,
    email,
  ]);
  const [count] = await tx.em.execute<[{ open: number }]>(
    `select count(*)::int as open from accounts.invitation where ${open}`,
    [tx.accountId, tx.now],
  );
  if (count.open >= invitationsMax) throw accountErrors.invitation_limit_reached();
  const row = {
    id: createId(),
    email,
    role,
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + invitationDays * 86_400_000),
  };
  await tx.em.execute(
    `insert into accounts.invitation
       (id, "organizationId", email, role, status, "createdAt", "expiresAt", "inviterId")
     values (?, ?, ?, ?, 'pending', ?, ?, ?)`,
    [row.id, tx.accountId, email, role, row.createdAt, row.expiresAt, ownerId],
  );
  return toOutput(row);
}

/** Cancels an invitation. Throws invitation_not_found. */
export async function cancelInvitation(tx: AccountWriter, invitationId: string): Promise<void> {
  const canceled = await tx.em.execute<unknown[]>(
    `update accounts.invitation set status = 'canceled' where ${open} and id = ? returning id`,
    [tx.accountId, tx.now, invitationId],
  );
  if (canceled.length === 0) throw accountErrors.invitation_not_found();
}

async function refuseMember(tx: AccountWriter, email: string): Promise<void> {
  const [found] = await tx.em.execute<[{ members: number; same: number }]>(
    `select count(*)::int as members, count(*) filter (where u.email = ?)::int as same
     from accounts.member m join accounts."user" u on u.id = m."userId"
     where m."organizationId" = ?`,
    [email, tx.accountId],
  );
  if (found.same > 0) throw accountErrors.already_member();
  if (found.members >= membersMax) throw accountErrors.member_limit_reached();
}

const toOutput = (row: InvitationRow): InvitationOutput => ({
  ...row,
  createdAt: new Date(row.createdAt).toISOString(),
  expiresAt: new Date(row.expiresAt).toISOString(),
  path: `/invitations/${row.id}`,
});
