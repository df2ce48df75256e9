import { expect } from 'vitest';
import { testApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { signIn, signInByForm } from '../support/sign-in.ts';

test('where sign-up is closed or needs an invitation, the pages show it before a form is filled in', async ({
  browser,
}) => {
  for (const { mode, said } of [
    { mode: 'closed', said: 'Sign-up is closed.' },
    { mode: 'invited', said: 'Sign-up needs an invitation.' },
  ] as const) {
    await using service = await testApi({ options: { signUp: mode } });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${service.baseUrl}/sign-up`);
    await page.getByText(said).waitFor();
    expect(await page.getByLabel(/^E-?mail/).count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
  }
});

test('a person changes their password and stays signed in, while another browser is signed out', async ({
  service,
  account: owner,
  browser,
}) => {
  const [mine, other] = [
    await (await browser.newContext()).newPage(),
    await (await browser.newContext()).newPage(),
  ];
  await signInByForm(mine, service, owner);
  await signIn(other, service, owner);
  await mine.getByRole('button', { name: /^Account of/ }).click();
  await mine.getByRole('menuitem', { name: 'Change password' }).click();
  const current = mine.getByLabel('Current password');
  await current.fill('not the password');
  await mine.getByLabel('New password').fill('a new long password');
  await mine.getByRole('button', { name: 'Change password' }).click();
  await mine.getByRole('alert').waitFor();
  await current.fill(owner.password);
  await mine.getByRole('button', { name: 'Change password' }).click();
  await mine.getByText('You are signed out on all other devices.').waitFor();
  await mine.reload();
  await mine.getByRole('link', { name: 'Members' }).first().click();
  await mine.getByRole('row', { name: /\(you\)/ }).waitFor();
  await other.reload();
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a rate-limited sign-in shows the wait', async ({ service, account: owner, page }) => {
  await page.goto(service.baseUrl);
  await page.getByLabel(/^E-?mail/).fill(owner.email);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  await password.and(page.locator(':focus')).waitFor();
  // A slow machine must not let the pause end before the next attempt.
  await service.db.database.pool.query(
    `update accounts.sign_in_attempt set ends_at = now() + interval '50 seconds'`,
  );
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/^Too many attempts\. Try again in \d+ seconds\.$/).waitFor();
});
