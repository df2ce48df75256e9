import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestMember,
  createTestWebinar,
  testApi,
} from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { signInMember } from '../support/member.ts';

const secret = 'correct horse battery staple';

test('the audit log says which member changed what, without values, and only to owners of the workspace', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const member = await createTestMember(service, owner.accountId);
  const [asOwner, asMember] = [await openDashboard(service, owner), await openDashboard(service, member)];
  const webinar = await createTestWebinar(service, owner.accountId);
  await asMember.mutate('webinars.update', {
    webinarId: webinar.id,
    title: 'New title',
    description: secret,
  });
  await asMember.mutate('keys.create', { label: 'For the shop', preset: 'read' });
  await asOwner.mutate('accounts.workspace.rename', { name: secret });

  const listed = await asOwner.query('accounts.changes.list', { limit: 10 });
  expect(listed).toMatchObject([
    { memberId: owner.userId, procedure: 'accounts.workspace.rename', fields: ['name'], subject: null },
    {
      memberId: member.userId,
      procedure: 'keys.create',
      fields: ['label', 'preset'],
      subject: 'For the shop',
    },
    {
      memberId: member.userId,
      memberName: 'Max',
      procedure: 'webinars.update',
      subject: 'New title',
      records: [{ field: 'webinarId', id: webinar.id }],
      fields: ['title', 'description'],
      at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(JSON.stringify(listed)).not.toContain(secret);
  const ofMember = await asOwner.query('accounts.changes.list', { memberId: member.userId });
  expect(ofMember).toHaveLength(2);
  expect(await refusalOf(asMember.query('accounts.changes.list', {}))).toBe('owner_required');
  const stranger = await openDashboard(service, await createTestAccount(service));
  expect(await stranger.query('accounts.changes.list', {})).toEqual([]);
});

test('the audit log names a removed member, a revoked key, a webinar whose state was changed, a source of revenue, an invited address and the person who accepted, and leaves out changes of a member to their own account', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const { accountId } = owner;
  const [max, ann] = [await createTestMember(service, accountId), await createTestAccount(service)];
  const [{ mutate, query }, asMax] = [await openDashboard(service, owner), await openDashboard(service, max)];
  const { id: keyId } = await asMax.mutate('keys.create', { label: 'For the shop', preset: 'read' });
  await mutate('keys.revoke', { keyId });
  const { id: invitationId } = await mutate('accounts.invitations.create', {
    email: ann.email,
    role: 'member',
  });
  const { id: otherId } = await mutate('accounts.invitations.create', {
    email: 'eve@example.com',
    role: 'member',
  });
  await mutate('accounts.invitations.cancel', { invitationId: otherId });
  const webinar = await createTestWebinar(service, accountId);
  const webinarChanges = ['update', 'unpublish', 'archive', 'restore', 'delete'];
  for (const change of webinarChanges)
    await mutate(`webinars.${change}`, {
      webinarId: webinar.id,
      ...(change === 'update' && { description: 'For sales' }),
    });
  await mutate('revenueSources.createSecret', { provider: 'generic' });
  const { cookie } = await signInMember(service, ann);
  const accepted = await fetch(`${service.baseUrl}/api/auth/organization/accept-invitation`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.baseUrl, cookie },
    body: JSON.stringify({ invitationId }),
  });
  expect(accepted.status).toBe(200);
  await mutate('accounts.notifications.change', { kind: 'failed', isOn: true });
  await mutate('accounts.ownSessions.endOthers', {});
  await mutate('accounts.members.remove', { userId: max.userId, revokesKeys: true });

  expect(await query('accounts.changes.list', { limit: 12 })).toMatchObject([
    { procedure: 'accounts.members.remove', subject: 'Max, with their API keys' },
    { procedure: 'accounts.invitations.accept', memberId: ann.userId },
    { procedure: 'revenueSources.createSecret', subject: 'generic' },
    ...webinarChanges.toReversed().map((change) => ({ procedure: `webinars.${change}`, subject: 'Launch' })),
    { procedure: 'accounts.invitations.cancel', subject: 'eve@example.com' },
    { procedure: 'accounts.invitations.create', subject: 'eve@example.com' },
    { procedure: 'accounts.invitations.create', subject: ann.email, memberId: owner.userId },
    { procedure: 'keys.revoke', subject: 'For the shop' },
  ]);
});

test('a refused change is not in the audit log, nor is a read', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const asOwner = await openDashboard(service, owner);
  const { accountId, userId } = owner;
  expect(await refusalOf(asOwner.mutate('accounts.members.setRole', { userId, role: 'member' }))).toBe(
    'last_owner',
  );
  await asOwner.query('keys.list');
  expect(await asOwner.query('accounts.changes.list', {})).toEqual([]);
  const { rows } = await service.db.database.pool.query(
    'select from accounts.member_change where account_id = $1',
    [accountId],
  );
  expect(rows).toEqual([]);
});

test('the author of a change of a record is found by its time, for every member of the workspace and for no other', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const member = await createTestMember(service, owner.accountId);
  const asMember = await openDashboard(service, member);
  const [webinar, other] = [
    await createTestWebinar(service, owner.accountId),
    await createTestWebinar(service, owner.accountId),
  ];
  const { id: recordId, updatedAt: at } = await asMember.mutate('webinars.update', {
    webinarId: webinar.id,
    title: 'New title',
  });
  const author = { memberId: member.userId, memberName: 'Max' };
  expect(await asMember.query('accounts.changes.author', { recordId, at })).toEqual(author);
  expect(await asMember.query('accounts.changes.author', { recordId: other.id, at })).toBeNull();
  const stranger = await openDashboard(service, await createTestAccount(service));
  expect(await stranger.query('accounts.changes.author', { recordId, at })).toBeNull();

  // A key's change is in the API activity, at the same time as the record's.
  const { key } = await createTestKey(service, owner.accountId);
  const { json } = await callRest(service, `PATCH /webinars/${recordId}`, { key, body: { title: 'Newer' } });
  const { updatedAt } = json.data;
  expect(await asMember.query('accounts.changes.author', { recordId, at: updatedAt })).toBeNull();
  const to = new Date(Date.parse(updatedAt) + 1).toISOString();
  const calls = () => asMember.query('activity.list', { from: updatedAt, to, status: 'success' });
  expect(await eventually('the call', async () => (await calls())[0])).toMatchObject({
    path: expect.stringContaining(recordId),
  });
});
