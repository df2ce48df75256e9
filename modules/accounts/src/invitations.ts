// The link of an invitation is mailed when the installation sends mails, and the owner can pass it on. The person must have the
// link and sign in with the invited address (better-auth's accept-invitation). The id of the invitation is the secret of the
// link.
import {
  column,
  createId,
  statement,
  type Query,
  type AccountReader,
  type AccountWriter,
  type RowsOf,
} from '@service/database';
import { accountErrors } from './errors.ts';
import { lockMembers, membersMax } from './members.ts';
import type { InvitationOutput, Role } from './schemas.ts';

/** Open invitations of a workspace at most. */
const invitationsMax = 100;

const invitationDays = 7;

// $1 account, $2 now.
const open = `"organizationId" = $1 and status = 'pending' and "expiresAt" > $2`;

const selectOpen = statement({
  name: 'accounts.select_invitations',
  text: `
    select id, email, role, "createdAt", "expiresAt" from accounts.invitation where ${open} order by id desc`,
  row: {
    id: column.text,
    email: column.text,
    role: column.textOf<Role>(),
    createdAt: column.time,
    expiresAt: column.time,
  },
});

const countOpen = statement({
  name: 'accounts.count_invitations',
  text: `select count(*)::int as open from accounts.invitation where ${open}`,
  row: { open: column.integer },
});

const cancelOfAddress = statement({
  name: 'accounts.cancel_invitation_of_address',
  text: `update accounts.invitation set status = 'canceled' where ${open} and email = $3`,
});

const cancel = statement({
  name: 'accounts.cancel_invitation',
  text: `update accounts.invitation set status = 'canceled' where ${open} and id = $3 returning email`,
  row: { email: column.text },
});

const insert = statement({
  name: 'accounts.insert_invitation',
  text: `
    insert into accounts.invitation
      ("organizationId", id, email, role, status, "createdAt", "expiresAt", "inviterId")
    values ($1, $2, $3, $4, 'pending', $5, $6, $7)`,
});

const countMembers = statement({
  name: 'accounts.count_members',
  text: `
    select count(*)::int as members, count(*) filter (where u.email = $2)::int as same
    from accounts.member m join accounts."user" u on u.id = m."userId"
    where m."organizationId" = $1`,
  row: { members: column.integer, same: column.integer },
});

/** Open invitations, newest first. For owners only: each contains its link. */
export async function listInvitations({ query, accountId, now }: AccountReader): Promise<InvitationOutput[]> {
  const rows = await query(selectOpen, [accountId, now]);
  return rows.map(toOutput);
}

const findOpen = statement({
  name: 'accounts.find_open_invitation',
  text: `
    select o.id as "workspaceId", o.name as "workspaceName", u.name as "inviterName", u.email as "inviterEmail",
      i.email, i.role
    from accounts.invitation i
    join accounts.organization o on o.id = i."organizationId"
    join accounts."user" u on u.id = i."inviterId"
    where i.id = $1 and i.status = 'pending' and i."expiresAt" > now()`,
  allAccounts: 'The id of an invitation is a secret, and its account is not known before.',
  row: {
    workspaceId: column.text,
    workspaceName: column.text,
    inviterName: column.text,
    inviterEmail: column.text,
    email: column.text,
    role: column.textOf<Role>(),
  },
});

/**
 * An open invitation as its page shows it to anyone who has the link. It does not say whether the invited address has an account.
 * Throws invitation_not_found.
 */
export async function readInvitation(query: Query, id: unknown): Promise<RowsOf<typeof findOpen>> {
  const [found] = typeof id === 'string' ? await query(findOpen, [id]) : [];
  if (!found) throw accountErrors.invitation_not_found();
  return found;
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
  const { query, accountId, now } = tx;
  await query(cancelOfAddress, [accountId, now, email]);
  const [count] = await query(countOpen, [accountId, now]);
  if (count!.open >= invitationsMax) throw accountErrors.invitation_limit_reached();
  const row = {
    id: createId(),
    email,
    role,
    createdAt: now,
    expiresAt: new Date(now.getTime() + invitationDays * 86_400_000),
  };
  await query(insert, [accountId, row.id, email, role, row.createdAt, row.expiresAt, ownerId]);
  return toOutput(row);
}

/** Cancels an invitation. Returns its address. Throws invitation_not_found. */
export async function cancelInvitation(tx: AccountWriter, invitationId: string): Promise<string> {
  const [canceled] = await tx.query(cancel, [tx.accountId, tx.now, invitationId]);
  if (!canceled) throw accountErrors.invitation_not_found();
  return canceled.email;
}

async function refuseMember(tx: AccountWriter, email: string): Promise<void> {
  const [found] = await tx.query(countMembers, [tx.accountId, email]);
  if (found!.same > 0) throw accountErrors.already_member();
  if (found!.members >= membersMax) throw accountErrors.member_limit_reached();
}

const toOutput = (row: RowsOf<typeof selectOpen>): InvitationOutput => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  path: `/invitations/${row.id}`,
});
