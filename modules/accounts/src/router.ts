import { AppError, commonErrors } from '@service/errors';
import {
  dataOf,
  keyQuery,
  memberMutation,
  memberQuery,
  memberSubscription,
  ownerMutation,
  ownerQuery,
  pageOf,
  router,
  type MemberPrincipal,
  type Principal,
  type RequestContext,
} from '@service/trpc';
import { z } from 'zod';
import { findBranding, storeBranding } from './branding.ts';
import type { Accounts } from './create-accounts.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { accountErrors } from './errors.ts';
import { cancelInvitation, invite, listInvitations } from './invitations.ts';
import type { MemberMails } from './mails/member-mails.ts';
import { findChangeAuthor, listMemberChanges } from './member-changes.ts';
import type { MailRequest } from './sign-in-limits.ts';
import { leaveWorkspace, listMembers, removeMember, setRole, type MembershipSubscriber } from './members.ts';
import { changeNotification, readNotifications } from './notifications.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts';
import {
  BrandingInput,
  ChangeAuthorInput,
  ChangeAuthorOutput,
  EndSessionInput,
  InvitationInput,
  InvitationOutput,
  InviteInput,
  LeaveInput,
  ListChangesInput,
  MemberChangeOutput,
  MemberInput,
  MemberOutput,
  MeOutput,
  NewInvitationOutput,
  NotificationInput,
  NotificationsOutput,
  OwnSessionOutput,
  RemoveMemberInput,
  RenameInput,
  SetRoleInput,
  TimeZoneInput,
  WorkspaceOutput,
  StreamInput,
} from './schemas.ts';
import type { SignUpMode } from './sign-up.ts';
import type { Suspension } from './suspension.ts';
import type { MemberStreams } from './stream/streams.ts';
import { changeTimeZone, createAnotherWorkspace, getWorkspace, renameWorkspace } from './workspace.ts';

const createMembersRouter = (subscriber: MembershipSubscriber) =>
  router({
    list: memberQuery()
      .output(dataOf(z.array(MemberOutput)))
      .query(async ({ ctx }) => ({ data: await listMembers(ctx.reader) })),

    setRole: ownerMutation()
      .input(SetRoleInput)
      .output(dataOf(SetRoleInput))
      .mutation(async ({ ctx, input }) => {
        await ctx.transaction((tx) => setRole(tx, { ...input, ownerId: ctx.principal.userId }));
        return { data: input };
      }),

    remove: ownerMutation({ whileSuspended: true })
      .input(RemoveMemberInput)
      .output(dataOf(MemberInput))
      .mutation(async ({ ctx, input }) => {
        const change = { ...input, ownerId: ctx.principal.userId };
        const name = await ctx.transaction((tx) => removeMember(tx, change, subscriber));
        ctx.setSubject(input.revokesKeys ? `${name}, with their API keys` : name);
        return { data: { userId: input.userId } };
      }),

    leave: memberMutation({ whileSuspended: true })
      .input(LeaveInput)
      .output(dataOf(MemberInput))
      .mutation(async ({ ctx, input }) => {
        const { userId, accountId } = requireMember(ctx.principal);
        if (input.workspaceId !== accountId) throw accountErrors.workspace_not_found();
        await ctx.transaction((tx) => leaveWorkspace(tx, userId, subscriber));
        return { data: { userId } };
      }),
  });

const createInvitationsRouter = (mails: MemberMails | undefined) =>
  router({
    list: ownerQuery()
      .output(dataOf(z.array(InvitationOutput)))
      .query(async ({ ctx }) => ({ data: await listInvitations(ctx.reader) })),

    create: ownerMutation()
      .input(InviteInput)
      .output(dataOf(NewInvitationOutput))
      .mutation(async ({ ctx, input }) => {
        const isMailed = await admitInvitationMail(mails, {
          email: input.email,
          accountId: ctx.principal.accountId,
        });
        const invitation = await ctx.transaction(async (tx) => {
          const made = await invite(tx, { ...input, ownerId: ctx.principal.userId });
          const mail = { kind: 'invitation', accountId: tx.accountId, invitationId: made.id } as const;
          if (isMailed) await mails?.send(mail, tx.now, tx);
          return made;
        });
        ctx.setSubject(input.email);
        return { data: { ...invitation, isMailed } };
      }),

    cancel: ownerMutation({ whileSuspended: true })
      .input(InvitationInput)
      .output(dataOf(InvitationInput))
      .mutation(async ({ ctx, input }) => {
        ctx.setSubject(await ctx.transaction((tx) => cancelInvitation(tx, input.invitationId)));
        return { data: input };
      }),
  });

/** False when too many mails were sent already: the owner passes on the link. */
async function admitInvitationMail(mails: MemberMails | undefined, request: MailRequest): Promise<boolean> {
  try {
    await mails?.admit(request);
    return mails !== undefined;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'rate_limited') return false;
    throw error;
  }
}

const createWorkspaceRouter = (signUp: SignUpMode, suspension: Pick<Suspension, 'suspendAccount'>) =>
  router({
    get: memberQuery()
      .output(dataOf(WorkspaceOutput))
      .query(async ({ ctx }) => ({ data: await getWorkspace(ctx.reader) })),

    /** Another workspace, which the caller owns. */
    create: memberMutation()
      .input(RenameInput)
      .output(dataOf(z.object({ id: z.uuid() })))
      .mutation(async ({ ctx, input }) => {
        const { userId } = requireMember(ctx.principal);
        if (signUp === 'closed') throw accountErrors.sign_up_closed();
        const change = { ...input, ownerId: userId };
        return { data: { id: await ctx.transaction((tx) => createAnotherWorkspace(tx, change)) } };
      }),

    rename: ownerMutation()
      .input(RenameInput)
      .output(dataOf(WorkspaceOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => renameWorkspace(tx, input.name)),
      })),

    delete: ownerMutation()
      .input(RenameInput)
      .output(dataOf(z.object({ id: z.uuid() })))
      .mutation(async ({ ctx, input }) => {
        const { accountId: id, userId: ownerId } = ctx.principal;
        await ctx.transaction((tx) => deleteWorkspace(tx, { ...input, ownerId }, suspension));
        return { data: { id } };
      }),

    /** The pages that attendees see have this branding. */
    branding: memberQuery()
      .output(dataOf(BrandingInput))
      .query(async ({ ctx }) => {
        const { color, logoUrl } = await findBranding(ctx.reader);
        return { data: { color, logoUrl } };
      }),

    changeBranding: ownerMutation()
      .input(BrandingInput)
      .output(dataOf(BrandingInput))
      .mutation(async ({ ctx, input }) => {
        await ctx.transaction((tx) => storeBranding(tx, input, ctx.principal.userId));
        return { data: input };
      }),

    /** Days of reports are counted in the time zone, also those of the past. */
    changeTimeZone: ownerMutation()
      .input(TimeZoneInput)
      .output(dataOf(WorkspaceOutput))
      .mutation(async ({ ctx, input }) => {
        const change = { ...input, ownerId: ctx.principal.userId };
        return { data: await ctx.transaction((tx) => changeTimeZone(tx, change)) };
      }),
  });

/** The sign-in sessions of the caller. */
const createSessionsRouter = ({ tokenOf }: Pick<Accounts, 'tokenOf'>) => {
  const ownOf = ({
    principal,
    connection,
  }: { principal: Principal } & Pick<RequestContext, 'connection'>) => {
    const { userId } = requireMember(principal);
    const token = connection && tokenOf(connection.headers);
    if (token === undefined) throw commonErrors.sign_in_required();
    return { userId, token };
  };
  return router({
    list: memberQuery()
      .output(dataOf(z.array(OwnSessionOutput)))
      .query(async ({ ctx }) => ({ data: await listOwnSessions(ctx.reader, ownOf(ctx)) })),

    end: memberMutation({ whileSuspended: true, isPersonal: true })
      .input(EndSessionInput)
      .output(dataOf(EndSessionInput))
      .mutation(async ({ ctx, input }) => {
        const { userId } = requireMember(ctx.principal);
        await ctx.transaction((tx) => endOwnSession(tx, { userId, id: input.sessionId }));
        return { data: input };
      }),

    endOthers: memberMutation({ whileSuspended: true, isPersonal: true })
      .output(dataOf(z.object({ ended: z.int() })))
      .mutation(async ({ ctx }) => {
        const own = ownOf(ctx);
        return { data: { ended: await ctx.transaction((tx) => endOtherSessions(tx, own)) } };
      }),
  });
};

/** The workspace and the permissions of a key, since a 401 does not explain itself. */
const me = keyQuery({
  rest: 'GET /me',
  tool: 'get_me',
  summary: 'Check a key',
  description: 'Returns the workspace, the scopes and the surfaces of the key.',
  tag: 'Account',
})
  .output(dataOf(MeOutput))
  .query(async ({ ctx }) => {
    const { id, name, timeZone } = await getWorkspace(ctx.reader);
    return { data: { account: { id, name, timeZone }, key: describeKey(ctx.principal) } };
  });

interface RouterParts {
  streams: Pick<MemberStreams, 'open'>;
  membershipSubscriber: MembershipSubscriber;
  suspendAccount: Suspension['suspendAccount'];
  accounts: Pick<Accounts, 'memberMails' | 'signUp' | 'tokenOf'>;
}

/** The workspace, its members and the stream of changes for the dashboard, and `me` for keys. */
export const createAccountsRouter = ({
  streams,
  membershipSubscriber,
  suspendAccount,
  accounts,
}: RouterParts) =>
  router({
    members: createMembersRouter(membershipSubscriber),
    invitations: createInvitationsRouter(accounts.memberMails),
    ownSessions: createSessionsRouter(accounts),
    /** Of the caller in this workspace. */
    notifications: router({
      get: memberQuery()
        .output(dataOf(NotificationsOutput))
        .query(async ({ ctx }) => ({
          data: await readNotifications(ctx.reader, requireMember(ctx.principal)),
        })),

      change: memberMutation({ isPersonal: true })
        .input(NotificationInput)
        .output(dataOf(NotificationInput))
        .mutation(async ({ ctx, input }) => {
          const { userId } = requireMember(ctx.principal);
          await ctx.transaction((tx) => changeNotification(tx, { ...input, userId }));
          return { data: input };
        }),
    }),
    changes: router({
      /** The audit log. */
      list: ownerQuery()
        .input(ListChangesInput)
        .output(pageOf(MemberChangeOutput))
        .query(({ ctx, input }) => listMemberChanges(ctx.reader, input)),

      /** Of the change that a form conflicts with. */
      author: memberQuery()
        .input(ChangeAuthorInput)
        .output(dataOf(ChangeAuthorOutput))
        .query(async ({ ctx, input }) => ({ data: await findChangeAuthor(ctx.reader, input) })),
    }),
    workspace: createWorkspaceRouter(accounts.signUp, { suspendAccount }),
    me,

    /** Topics whose records have changed, until the sign-in session or the membership ends. */
    stream: memberSubscription()
      .input(StreamInput)
      .subscription(({ ctx, input, signal }) => {
        const { principal: member, connection } = ctx;
        if (member.kind !== 'member' || !connection || !signal) throw commonErrors.sign_in_required();
        return streams.open({ member, connection, input, signal });
      }),
  });

function requireMember(principal: Principal): MemberPrincipal {
  if (principal.kind !== 'member') throw commonErrors.sign_in_required();
  return principal;
}

function describeKey(principal: Principal): z.input<typeof MeOutput>['key'] {
  if (principal.kind === 'member') return null;
  const { credentialId, label, scopes, surfaces, expiresAt } = principal;
  return {
    id: credentialId,
    label,
    scopes: [...scopes],
    surfaces: [...surfaces],
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
