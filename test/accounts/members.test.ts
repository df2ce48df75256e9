import { errorOf, type MemberPrincipal } from '@service/trpc';
import { expect, test } from 'vitest';
import { password, startAccounts, type AccountsServer } from './accounts-server.ts';

async function startTeam(server: AccountsServer, roles: Record<string, 'owner' | 'member'>) {
  const { accountId, userId } = await server.accounts.createAccount({
    name: 'Acme',
    ownerEmail: 'olga@example.com',
    ownerName: 'Olga',
    ownerPassword: password,
  });
  const principal = (id: string, role: 'owner' | 'member'): MemberPrincipal => ({
    kind: 'member',
    accountId,
    userId: id,
    name: 'Somebody',
    role,
  });
  const team: Record<string, MemberPrincipal> = { olga: principal(userId, 'owner') };
  for (const [name, role] of Object.entries(roles)) {
    const added = await server.accounts.addMember({
      accountId,
      email: `${name}@example.com`,
      password,
      name,
      role,
    });
    team[name] = principal(added.userId, role);
  }
  return team as Record<string, MemberPrincipal> & { olga: MemberPrincipal };
}

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  await call.then(
    () => 'ok',
    (error: unknown) => errorOf(error).code,
  );

test('members see each other; only owners add or remove members and rename the workspace', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { max: 'member' });
  const asMax = server.as(team.max!);
  expect((await asMax.members.list()).data).toMatchObject([
    { name: 'Olga', email: 'olga@example.com', role: 'owner' },
    { name: 'max', email: 'max@example.com', role: 'member', joinedAt: expect.stringMatching(/Z$/) },
  ]);
  const { userId } = team.olga;
  for (const call of [
    () => asMax.members.remove({ userId }),
    () => asMax.members.setRole({ userId: team.max!.userId, role: 'owner' }),
    () => asMax.workspace.rename({ name: 'Mine' }),
    () => asMax.invitations.create({ email: 'new@example.com', role: 'member' }),
    () => asMax.invitations.list(),
  ]) {
    expect(await codeOf(call())).toBe('owner_required');
  }
  expect(await codeOf(server.as(null).members.list())).toBe('sign_in_required');

  const asOlga = server.as(team.olga);
  const renamed = await asOlga.workspace.rename({ name: ' Acme Ltd ' });
  expect(renamed.data).toMatchObject({
    id: team.olga.accountId,
    name: 'Acme Ltd',
    slug: expect.stringMatching(/^acme-/),
  });
  expect((await asMax.workspace.get()).data).toEqual(renamed.data);
  expect(await codeOf(asOlga.members.setRole({ userId: team.max!.userId, role: 'admin' as 'owner' }))).toBe(
    'validation_failed',
  );
});

test('the last owner can neither leave nor become a member', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { max: 'member' });
  const asOlga = server.as(team.olga);
  const { userId } = team.olga;
  expect(await codeOf(asOlga.members.remove({ userId }))).toBe('last_owner');
  expect(await codeOf(asOlga.members.setRole({ userId, role: 'member' }))).toBe('last_owner');
  await asOlga.members.setRole({ userId: team.max!.userId, role: 'owner' });
  await asOlga.members.remove({ userId });
  expect((await server.as({ ...team.max!, role: 'owner' }).members.list()).data).toMatchObject([
    { name: 'max', role: 'owner' },
  ]);
});

test('a member leaves by themselves, and has no access afterwards', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { max: 'member' });
  await server.as(team.max!).members.leave({ workspaceId: team.olga.accountId });
  expect((await server.as(team.olga).members.list()).data).toMatchObject([{ name: 'Olga' }]);
  expect(await codeOf(server.as(team.olga).members.leave({ workspaceId: team.olga.accountId }))).toBe(
    'last_owner',
  );
});

test('a member makes another workspace that they own, 20 at most, and none where sign-up is closed', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { max: 'member' });
  const asMax = server.as(team.max!);
  const { data } = await asMax.workspace.create({ name: 'Second' });
  const asOwner = server.as({ ...team.max!, accountId: data.id, role: 'owner' });
  expect((await asOwner.workspace.get()).data).toMatchObject({ name: 'Second', timeZone: 'UTC' });
  expect((await asOwner.members.list()).data).toMatchObject([{ name: 'max', role: 'owner' }]);
  for (let made = 1; made < 20; made += 1) await asMax.workspace.create({ name: 'More' });
  expect(await codeOf(asMax.workspace.create({ name: 'Too many' }))).toBe('workspace_limit_reached');
  await using closed = await startAccounts({ signUp: 'closed' }, server);
  expect(await codeOf(closed.as(team.olga).workspace.create({ name: 'Closed' }))).toBe('sign_up_closed');
});

test('two owners who demote or remove each other at once leave one owner', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { otto: 'owner' });
  const [olga, otto] = [server.as(team.olga), server.as(team.otto!)];
  for (let round = 0; round < 10; round += 1) {
    const codes = await Promise.all([
      codeOf(olga.members.setRole({ userId: team.otto!.userId, role: 'member' })),
      codeOf(otto.members.setRole({ userId: team.olga.userId, role: 'member' })),
    ]);
    expect(codes.toSorted()).toEqual(['ok', 'owner_required']);
    await server.database.pool.query(`update accounts.member set role = 'owner'`);
  }
  const both = await Promise.all([
    codeOf(olga.members.remove({ userId: team.otto!.userId })),
    codeOf(otto.members.remove({ userId: team.olga.userId })),
  ]);
  expect(both.filter((code) => code === 'ok')).toHaveLength(1);
  const left = await server.database.pool.query('select role from accounts.member');
  expect(left.rows).toEqual([{ role: 'owner' }]);
});

test('two owners who step down at once leave one owner', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { otto: 'owner' });
  const stepDown = (who: MemberPrincipal) =>
    codeOf(server.as(who).members.setRole({ userId: who.userId, role: 'member' }));
  expect((await Promise.all([stepDown(team.olga), stepDown(team.otto!)])).toSorted()).toEqual([
    'last_owner',
    'ok',
  ]);
});

test('an owner of one workspace cannot touch members or invitations of another', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { max: 'member' });
  const other = await server.accounts.createAccount({
    name: 'Other',
    ownerEmail: 'x@example.com',
    ownerPassword: password,
  });
  const asOther = server.as({ kind: 'member', name: 'X', role: 'owner', ...other });
  expect(await codeOf(asOther.members.remove({ userId: team.max!.userId }))).toBe('member_not_found');
  expect(await codeOf(asOther.members.setRole({ userId: team.max!.userId, role: 'owner' }))).toBe(
    'member_not_found',
  );
  const { data: invitation } = await server
    .as(team.olga)
    .invitations.create({ email: 'n@example.com', role: 'member' });
  expect(await codeOf(asOther.invitations.cancel({ invitationId: invitation.id }))).toBe(
    'invitation_not_found',
  );
  expect((await asOther.invitations.list()).data).toEqual([]);
});

test('a removed member is signed out of the workspace at once', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { max: 'member' });
  const max = server.browser();
  await max.signIn('max@example.com');
  expect((await server.accounts.admitMember(max.headers, team.olga.accountId)).principal).not.toBeNull();
  await server.as(team.olga).members.remove({ userId: team.max!.userId });
  expect((await server.accounts.admitMember(max.headers, team.olga.accountId)).principal).toBeNull();
});

test('an invitation brings in the person it names, once, in the role it names', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, {});
  const asOlga = server.as(team.olga);
  const { data } = await asOlga.invitations.create({ email: ' New@Example.com ', role: 'member' });
  const { isMailed, ...invitation } = data;
  expect(isMailed).toBe(false);
  expect(invitation).toMatchObject({
    email: 'new@example.com',
    role: 'member',
    path: `/invitations/${invitation.id}`,
  });
  expect((await asOlga.invitations.list()).data).toEqual([invitation]);
  const accept = { invitationId: invitation.id };

  const stranger = server.browser();
  await stranger.signUp({ name: 'Stranger', email: 'stranger@example.com' });
  expect((await stranger.post('/api/auth/organization/accept-invitation', accept)).status).toBe(403);
  expect((await server.browser().post('/api/auth/organization/accept-invitation', accept)).status).toBe(401);

  const invited = server.browser();
  const page = `/api/auth/invitation?id=${invitation.id}`;
  const shown = await invited.get(page);
  expect(shown.body).toEqual({
    workspaceId: team.olga.accountId,
    workspaceName: 'Acme',
    inviterName: 'Olga',
    inviterEmail: 'olga@example.com',
    email: 'new@example.com',
    role: 'member',
  });
  await invited.signUp({ name: 'New', email: 'new@example.com' });
  expect((await invited.post('/api/auth/organization/accept-invitation', accept)).status).toBe(200);
  expect((await invited.get('/api/session')).body.workspaces).toMatchObject([
    { name: 'New’s workspace', role: 'owner' },
    { name: 'Acme', role: 'member' },
  ]);
  expect((await invited.post('/api/auth/organization/accept-invitation', accept)).status).toBe(400);
  expect((await invited.get(page)).status).toBe(404);
  expect((await asOlga.invitations.list()).data).toEqual([]);
  expect(await codeOf(asOlga.invitations.create({ email: 'new@example.com', role: 'owner' }))).toBe(
    'already_member',
  );
  expect(server.failures).toEqual([]);
});

test('a cancelled or replaced invitation, or one of an owner who was removed, is not accepted', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { otto: 'owner' });
  const asOlga = server.as(team.olga);
  const input = { email: 'new@example.com', role: 'owner' as const };
  const { data: replaced } = await asOlga.invitations.create(input);
  const { data: cancelled } = await asOlga.invitations.create(input);
  await asOlga.invitations.cancel({ invitationId: cancelled.id });
  const { data: byOtto } = await server.as(team.otto!).invitations.create(input);
  await asOlga.members.remove({ userId: team.otto!.userId });

  const invited = server.browser();
  await invited.signUp({ name: 'New', email: 'new@example.com' });
  for (const { id } of [replaced, cancelled, byOtto]) {
    const answer = await invited.post('/api/auth/organization/accept-invitation', { invitationId: id });
    expect(answer.status).toBe(400);
  }
});

test('an owner who becomes a member cannot come back as an owner by an invitation of their own', async () => {
  await using server = await startAccounts();
  const team = await startTeam(server, { otto: 'owner' });
  const { data: own } = await server
    .as(team.otto!)
    .invitations.create({ email: 'second@example.com', role: 'owner' });
  await server.as(team.olga).members.setRole({ userId: team.otto!.userId, role: 'member' });

  const second = server.browser();
  await second.signUp({ name: 'Otto', email: 'second@example.com' });
  const answer = await second.post('/api/auth/organization/accept-invitation', { invitationId: own.id });
  expect(answer.status).toBe(400);
  const { data: members } = await server.as(team.olga).members.list();
  expect(members.map(({ role }) => role)).toEqual(['owner', 'member']);
});
