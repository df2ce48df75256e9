import type { SignUpMode } from '@service/accounts';
import { expect, test } from 'vitest';
import { password, startAccounts, type AccountsServer } from './accounts-server.ts';

async function startWithOwner(signUp: SignUpMode) {
  const server = await startAccounts({ signUp });
  const owner = await server.accounts.createAccount({
    name: 'Acme',
    ownerEmail: 'olga@example.com',
    ownerPassword: password,
  });
  const invitations = server.as({ kind: 'member', name: 'Ada', role: 'owner', ...owner }).invitations;
  const invite = async (email: string) => (await invitations.create({ email, role: 'member' })).data.id;
  return { server, owner, invite, cancel: (invitationId: string) => invitations.cancel({ invitationId }) };
}

const signUp = async (server: AccountsServer, body: Record<string, unknown>) => {
  const answer = await server.browser().post('/api/auth/sign-up/email', { name: 'New', password, ...body });
  return answer.status === 200 ? 'signed up' : `${answer.status} ${answer.body.code}`;
};

const countUsers = async ({ database }: AccountsServer): Promise<number> =>
  (await database.pool.query('select 1 from accounts."user"')).rowCount ?? 0;

test('by invitation only the invited e-mail signs up, with its own open invitation', async () => {
  const { server, invite, cancel } = await startWithOwner('invited');
  await using _server = server;
  const invitationId = await invite('new@example.com');
  const cancelled = await invite('late@example.com');
  await cancel(cancelled);
  const expired = await invite('old@example.com');
  await server.database.pool.query(
    `update accounts.invitation set "expiresAt" = now() - interval '1 second' where id = $1`,
    [expired],
  );
  const refused = '403 sign_up_invitation_required';
  for (const body of [
    { email: 'new@example.com' },
    { email: 'other@example.com', invitationId },
    { email: 'late@example.com', invitationId: cancelled },
    { email: 'old@example.com', invitationId: expired },
    { email: 'new@example.com', invitationId: 'made up' },
    { email: 'new@example.com', invitationId: { id: invitationId } },
    // Only invited people learn that an address is taken.
    { email: 'olga@example.com' },
  ])
    expect(await signUp(server, body), JSON.stringify(body)).toBe(refused);
  expect(await countUsers(server)).toBe(1);

  const invited = server.browser();
  const answer = await invited.post('/api/auth/sign-up/email', {
    name: 'New',
    email: 'New@Example.com',
    password,
    invitationId,
  });
  expect(answer.status).toBe(200);
  expect((await invited.post('/api/auth/organization/accept-invitation', { invitationId })).status).toBe(200);
  expect((await invited.get('/api/session')).body).toMatchObject({
    signUp: 'invited',
    workspaces: [{ role: 'owner' }, { name: 'Acme', role: 'member' }],
  });
  expect(server.failures).toEqual([]);
});

test('when sign-up is closed an invitation does not open it, but existing users still accept theirs', async () => {
  const { server, invite } = await startWithOwner('closed');
  await using _server = server;
  const signedOut = { user: null, workspaces: [], signUp: 'closed', mail: null };
  expect((await server.browser().get('/api/session')).body).toEqual(signedOut);
  expect(await signUp(server, { email: 'new@example.com' })).toBe('403 sign_up_closed');
  const invitationId = await invite('new@example.com');
  expect(await signUp(server, { email: 'new@example.com', invitationId })).toBe('403 sign_up_closed');
  expect(await countUsers(server)).toBe(1);

  await server.accounts.createAccount({
    name: 'Other',
    ownerEmail: 'new@example.com',
    ownerPassword: password,
  });
  const existing = server.browser();
  expect((await existing.signIn('new@example.com')).status).toBe(200);
  expect((await existing.post('/api/auth/organization/accept-invitation', { invitationId })).status).toBe(
    200,
  );
});
