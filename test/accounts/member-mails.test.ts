import { expect, test } from 'vitest';
import { addressHeader, password, startAccounts } from './accounts-server.ts';
import { startMailWorld, tokenOf } from './mail-world.ts';

const owner = { name: 'Acme', ownerName: 'Ada', ownerEmail: 'ada@example.com', ownerPassword: password };
const eve = { name: 'Eve Moneypenny', email: 'eve@example.com', workspaceName: 'Universal Exports' };

test('with a mail server a sign-up answers alike for new and used addresses, and only a link with the password creates the account', async () => {
  await using world = await startMailWorld();
  const { server, readMails } = world;
  await server.accounts.createAccount(owner);
  const browser = server.browser();
  const answers = [await browser.signUp(eve), await browser.signUp({ ...eve, email: owner.ownerEmail })].map(
    ({ status, body, headers }) => ({ status, body, names: [...headers.keys()].toSorted() }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 200, body: { status: 'check_mail' } });
  expect(browser.cookies.size).toBe(0);
  // A used address keeps its password, and a new one has none yet.
  expect((await browser.signIn(eve.email)).status).toBe(401);

  const mails = await readMails();
  const [toEve, toAda] = mails.toSorted((one, other) => (one.to[0]! > other.to[0]! ? -1 : 1));
  expect([toEve?.subject, toAda?.subject]).toEqual(['Finish your sign-up', 'You already have an account']);
  expect(toAda?.links[1]).toContain('/reset-password#');
  const confirm = (given: string) =>
    browser.post('/api/auth/sign-up/confirm', { token: tokenOf(toEve?.links[0]), password: given });
  expect(await confirm('a wrong password')).toMatchObject({
    status: 403,
    body: { code: 'sign_up_password_wrong' },
  });
  expect((await server.database.pool.query('select from accounts."user"')).rowCount).toBe(1);
  expect((await confirm(password)).status).toBe(200);
  expect((await browser.get('/api/session')).body).toMatchObject({
    user: { email: eve.email, name: eve.name, isEmailVerified: true },
    workspaces: [{ name: eve.workspaceName, role: 'owner' }],
  });
  expect((await confirm(password)).status).toBe(404);
  expect(server.failures).toEqual([]);
});

test('of two sign-ups with one address, the one whose link is opened first wins, and the other link ends', async () => {
  await using world = await startMailWorld();
  const { server, readMails } = world;
  const signUp = async (given: string) => {
    await server.browser().post('/api/auth/sign-up/email', { ...eve, password: given });
    return tokenOf((await readMails())[0]?.links[0]);
  };
  const stranger = await signUp('password of a stranger');
  const own = await signUp(password);
  const confirm = (token: string, given: string) =>
    server.browser().post('/api/auth/sign-up/confirm', { token, password: given });
  expect((await confirm(own, password)).status).toBe(200);
  expect((await confirm(stranger, 'password of a stranger')).status).toBe(404);
});

test('in the mailbox mode a new address is signed in at once, and a link verifies it', async () => {
  await using world = await startMailWorld({ mail: 'mailbox' });
  const { server, readMails } = world;
  const browser = server.browser();
  expect((await browser.signUp(eve)).status).toBe(200);
  const isVerified = async () => (await browser.get('/api/session')).body.user?.isEmailVerified;
  expect(await isVerified()).toBe(false);
  const [first] = await readMails();
  expect(first).toMatchObject({ to: [eve.email], subject: 'Confirm your e-mail address' });
  expect((await browser.post('/api/auth/email-verification/request', {})).status).toBe(200);
  const [again] = await readMails();
  const verify = (link: string | undefined) =>
    server.browser().post('/api/auth/email-verification', { token: tokenOf(link) });
  expect((await verify(first!.links[0])).status).toBe(404);
  expect((await verify(again!.links[0])).status).toBe(200);
  expect(await isVerified()).toBe(true);
  // A verified address needs no further mail.
  await browser.post('/api/auth/email-verification/request', {});
  expect(await readMails()).toEqual([]);
  expect((await server.browser().post('/api/auth/email-verification/request', {})).status).toBe(401);
  expect((await server.browser().signUp(eve)).status).toBe(422);
});

test('an invitation is mailed when mail can be sent and not too often, and the owner is informed', async () => {
  await using world = await startMailWorld({
    signUp: 'invited',
    signInLimit: { windowSeconds: 600, max: 1000 },
    clientAddress: (req) => String(req.headers[addressHeader]),
  });
  const { server, readMails } = world;
  const { accountId, userId } = await server.accounts.createAccount({
    ...owner,
    name: 'Acme\r\nBcc: eve@example.com https://evil.example.com',
  });
  const invitations = (at = server) =>
    at.as({ kind: 'member', name: 'Ada', role: 'owner', accountId, userId }).invitations;
  const invite = async () => (await invitations().create({ email: eve.email, role: 'member' })).data;
  const { isMailed, path, id } = await invite();
  expect(isMailed).toBe(true);
  const [mail] = await readMails();
  expect(mail).toMatchObject({ to: [eve.email], links: [`${server.baseUrl}${path}`] });
  expect(mail?.subject).toBe('Invitation to Acme Bcc: eve@example com https evil example com');

  const signUp = { ...eve, password, invitationId: id };
  await server.browser().post('/api/auth/sign-up/email', signUp);
  const link = (await readMails())[0]?.links[0];
  expect(new URL(link ?? '').searchParams.get('redirect')).toBe(path);

  for (let sent = 2; sent < 5; sent += 1) expect((await invite()).isMailed).toBe(true);
  expect((await invite()).isMailed).toBe(false);
  await readMails();

  await using silent = await startAccounts({}, server);
  const { data } = await invitations(silent).create({ email: 'new@example.com', role: 'member' });
  expect(data.isMailed).toBe(false);
  expect(await readMails()).toEqual([]);
});
