import { AppError } from '@service/errors';
import { expect, test } from 'vitest';
import { createId } from '@service/database';
import { deleteExpiredSessions } from '@service/accounts';
import { password, startAccounts } from './accounts-server.ts';

const account = { name: 'Acme', ownerEmail: 'olga@example.com', ownerPassword: password };

test('our migration makes the whole schema of better-auth', async () => {
  await using server = await startAccounts();
  expect(await server.accounts.missingSchema()).toMatch(/^;?$/);
});

test('an account made by an operator has an owner who can sign in to it', async () => {
  await using server = await startAccounts();
  const { accountId, userId } = await server.accounts.createAccount(account);
  const browser = server.browser();
  expect((await browser.signIn('olga@example.com')).status).toBe(200);
  expect((await browser.get('/api/session')).body).toMatchObject({
    user: { id: userId, name: 'olga', email: 'olga@example.com' },
    workspaces: [{ id: accountId, name: 'Acme', slug: expect.stringMatching(/^acme-/), role: 'owner' }],
  });
});

test('a second account for the same person needs their password', async () => {
  await using server = await startAccounts();
  const first = await server.accounts.createAccount(account);
  const second = await server.accounts.createAccount({ ...account, ownerEmail: ' OLGA@example.com' });
  expect(second.userId).toBe(first.userId);
  expect(second.accountId).not.toBe(first.accountId);
  await expect(
    server.accounts.createAccount({ ...account, ownerPassword: 'another password' }),
  ).rejects.toMatchObject({
    code: 'email_in_use',
  });
  const { rowCount } = await server.database.pool.query('select 1 from accounts.organization');
  expect(rowCount).toBe(2);
});

test('two accounts made at once for one new e-mail make one user, and a refusal names every input problem', async () => {
  await using server = await startAccounts();
  const made = await Promise.allSettled([
    server.accounts.createAccount(account),
    server.accounts.createAccount(account),
  ]);
  for (const one of made)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'email_in_use' });
  const users = await server.database.pool.query('select 1 from accounts."user"');
  const workspaces = await server.database.pool.query('select 1 from accounts.organization');
  expect([users.rowCount, workspaces.rowCount]).toEqual([
    1,
    made.filter((one) => one.status === 'fulfilled').length,
  ]);

  const refused = await server.accounts
    .createAccount({ name: ' ', ownerEmail: 'no', ownerPassword: 'short' })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect((refused as AppError).issues?.map((issue) => issue.path)).toEqual([
    'name',
    'ownerEmail',
    'ownerPassword',
  ]);
});

test('a member of one workspace has no access to another, and each role may do its own calls only', async () => {
  await using server = await startAccounts();
  const { accounts } = server;
  const acme = await accounts.createAccount(account);
  const other = await accounts.createAccount({ ...account, name: 'Other', ownerEmail: 'otto@example.com' });
  const { userId } = await accounts.addMember({
    accountId: acme.accountId,
    email: 'max@example.com',
    password,
    name: 'Max',
    role: 'member',
  });
  const max = server.browser();
  await max.signIn('max@example.com');

  expect(await accounts.admitMember(max.headers, acme.accountId)).toMatchObject({
    principal: { kind: 'member', accountId: acme.accountId, userId, name: 'Max', role: 'member' },
  });
  expect((await accounts.admitMember(new Headers(max.headers), acme.accountId)).principal).not.toBeNull();
  for (const workspaceId of [
    other.accountId,
    undefined,
    '',
    'x',
    '\0'.repeat(36),
    acme.accountId.toUpperCase(),
    createId(),
  ]) {
    expect((await accounts.admitMember(max.headers, workspaceId)).principal).toBeNull();
  }
  expect((await accounts.admitMember({}, acme.accountId)).principal).toBeNull();
  expect(await accounts.listWorkspaces(max.headers)).toMatchObject([{ id: acme.accountId, role: 'member' }]);
});

test('addMember refuses a second membership, an unknown workspace and any role but owner and member', async () => {
  await using server = await startAccounts();
  const { accountId } = await server.accounts.createAccount(account);
  const max = { accountId, email: 'max@example.com', password, role: 'member' as const };
  await server.accounts.addMember(max);
  await expect(server.accounts.addMember(max)).rejects.toMatchObject({ code: 'already_member' });
  const unknown = { ...max, accountId: createId(), email: 'new@example.com' };
  await expect(server.accounts.addMember(unknown)).rejects.toMatchObject({ code: 'workspace_not_found' });
  for (const role of ['admin', 'owner,member', 'guest']) {
    await expect(server.accounts.addMember({ ...max, role: role as 'member' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const forced = server.database.pool.query('update accounts.member set role = $1', [role]);
    await expect(forced).rejects.toMatchObject({ constraint: 'member_role_check' });
  }
  const { rowCount } = await server.database.pool.query('select 1 from accounts."user"');
  expect(rowCount).toBe(2);
});

test('a user who was removed from their only workspace gets a new one at the next sign-in', async () => {
  await using server = await startAccounts();
  const { accountId } = await server.accounts.createAccount(account);
  await server.accounts.addMember({
    accountId,
    email: 'max@example.com',
    password,
    name: 'Max',
    role: 'member',
  });
  await server.database.pool.query(`delete from accounts.member where role = 'member'`);
  const max = server.browser();
  await max.signIn('max@example.com');
  expect((await max.get('/api/session')).body.workspaces).toMatchObject([
    { name: 'Max’s workspace', role: 'owner' },
  ]);
});

test('sessions that have ended are swept, others stay', async () => {
  await using server = await startAccounts();
  await server.accounts.createAccount(account);
  const browser = server.browser();
  await browser.signIn(account.ownerEmail);
  await server.database.pool.query(
    `insert into accounts.session_window values ('old', now() - interval '2 hours', 1), ('new', now(), 1)`,
  );
  const inAWeek = new Date(Date.now() + 7 * 86_400_000 + 1000);
  const sweep = (now: Date) => server.database.transaction((tx) => deleteExpiredSessions(tx, now));
  expect(await sweep(new Date())).toBe(0);
  expect(await sweep(inAWeek)).toBe(1);
  const windows = await server.database.pool.query('select session_id from accounts.session_window');
  expect(windows.rows).toEqual([{ session_id: 'new' }]);
});
