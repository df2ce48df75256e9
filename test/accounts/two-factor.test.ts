import { resealTwoFactor, switchOffTwoFactor } from '@service/accounts';
import { expect, test } from 'vitest';
import { codeOf } from '../support/authenticator.ts';
import { password, secret, startAccounts, type AccountsServer, type Browser } from './accounts-server.ts';

const email = 'olga@example.com';

interface Factor {
  totpURI: string;
  backupCodes: string[];
}

const keyOf = (totpURI: string): string => new URL(totpURI).searchParams.get('secret')!;

/** A person with a second factor, in the browser in which they switched it on. */
async function startWithFactor(server: AccountsServer) {
  await server.accounts.createAccount({ name: 'Acme', ownerEmail: email, ownerPassword: password });
  const browser = server.browser();
  await browser.signIn(email);
  const { body } = await browser.post('/api/auth/two-factor/enable', { password });
  const { totpURI, backupCodes } = body as unknown as Factor;
  const code = () => codeOf(keyOf(totpURI));
  expect((await browser.post('/api/auth/two-factor/verify-totp', { code: code() })).status).toBe(200);
  return { browser, code, backupCodes };
}

const userOf = async (browser: Browser) => (await browser.get('/api/session')).body.user;

test('with a second factor a password opens no session; a code of the app does, and a recovery code does once', async () => {
  await using server = await startAccounts();
  const { browser, code, backupCodes } = await startWithFactor(server);
  expect(await userOf(browser)).toMatchObject({ email, hasTwoFactor: true });

  const other = server.browser();
  expect((await other.signIn(email)).body).toMatchObject({ twoFactorRedirect: true });
  expect(await userOf(other)).toBeNull();
  const sessions = await server.database.pool.query('select from accounts.session');
  expect(sessions.rowCount).toBe(1);
  const wrong = code() === '000000' ? '000001' : '000000';
  expect((await other.post('/api/auth/two-factor/verify-totp', { code: wrong })).status).toBe(401);
  expect((await other.post('/api/auth/two-factor/verify-totp', { code: code() })).status).toBe(200);
  expect(await userOf(other)).toMatchObject({ email });

  const [recoveryCode] = backupCodes;
  for (const status of [200, 401]) {
    const lost = server.browser();
    await lost.signIn(email);
    const answer = await lost.post('/api/auth/two-factor/verify-backup-code', { code: recoveryCode });
    expect(answer.status).toBe(status);
  }
  const stored = await server.database.pool.query('select * from accounts.two_factor');
  expect(JSON.stringify(stored.rows)).not.toContain(backupCodes[1]);
});

test('a sign-in that waits for a code ends when the password changes', async () => {
  await using server = await startAccounts();
  const { browser, code } = await startWithFactor(server);
  const thief = server.browser();
  await thief.signIn(email);
  const change = { currentPassword: password, newPassword: 'another long password' };
  expect((await browser.post('/api/auth/change-password', change)).status).toBe(200);
  expect((await thief.post('/api/auth/two-factor/verify-totp', { code: code() })).status).toBe(401);
});

test('a browser that is not asked for a code is asked again after the factor was switched off', async () => {
  await using server = await startAccounts();
  const { browser, code } = await startWithFactor(server);
  const trusted = server.browser();
  await trusted.signIn(email);
  await trusted.post('/api/auth/two-factor/verify-totp', { code: code(), trustDevice: true });
  expect((await trusted.signIn(email)).body).not.toHaveProperty('twoFactorRedirect');
  await browser.post('/api/auth/two-factor/disable', { password });
  const { body } = await browser.post('/api/auth/two-factor/enable', { password });
  await browser.post('/api/auth/two-factor/verify-totp', {
    code: codeOf(keyOf((body as unknown as Factor).totpURI)),
  });
  expect((await trusted.signIn(email)).body).toMatchObject({ twoFactorRedirect: true });
});

test('the factor is switched off with the password, and by an operator', async () => {
  await using server = await startAccounts();
  const { browser } = await startWithFactor(server);
  expect((await browser.post('/api/auth/two-factor/disable', { password: 'wrong password' })).status).toBe(
    400,
  );
  await switchOffTwoFactor.run(server, { email: 'Olga@example.com' });
  expect(await userOf(browser)).toMatchObject({ hasTwoFactor: false });
  const other = server.browser();
  await other.signIn(email);
  expect(await userOf(other)).toMatchObject({ email });
  const { body } = await other.post('/api/auth/two-factor/enable', { password });
  await other.post('/api/auth/two-factor/verify-totp', {
    code: codeOf(keyOf((body as unknown as Factor).totpURI)),
  });
  expect((await other.post('/api/auth/two-factor/disable', { password })).status).toBe(200);
  expect(await userOf(other)).toMatchObject({ hasTwoFactor: false });
});

test('after a change of the encryption key codes work with the former one, and without it after reseal', async () => {
  await using server = await startAccounts();
  const { code } = await startWithFactor(server);
  const newSecret = 'a-new-secret-of-32-characters-xx';
  const statusWith = async (formerSecrets: string[]) => {
    await using next = await startAccounts({ secret: newSecret, formerSecrets }, server);
    const browser = next.browser();
    await browser.signIn(email);
    return (await browser.post('/api/auth/two-factor/verify-totp', { code: code() })).status;
  };
  expect(await statusWith([secret])).toBe(200);
  const { query } = server.database;
  expect(await resealTwoFactor(query, [newSecret])).toEqual({ resealed: 0, left: 1 });
  expect(await resealTwoFactor(query, [newSecret, secret])).toEqual({ resealed: 1, left: 0 });
  expect(await resealTwoFactor(query, [newSecret])).toEqual({ resealed: 0, left: 0 });
  expect(await statusWith([])).toBe(200);
});
