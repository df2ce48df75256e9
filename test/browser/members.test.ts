import { expect } from 'vitest';
import { callRest, createTestMember } from '../support/api.ts';
import { codeOf } from '../support/authenticator.ts';
import { test } from '../support/browser-test.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signIn } from '../support/sign-in.ts';

test('an owner invites a person by link, who signs up, joins as a member, becomes an owner, and is removed', async ({
  service,
  account: owner,
  browser,
}) => {
  const mine = await (await browser.newContext()).newPage();
  await signIn(mine, service, owner);
  await mine.getByRole('link', { name: 'Members' }).first().click();

  // The only owner cannot become a member.
  await mine.getByRole('button', { name: /^Change / }).click();
  await mine.getByRole('menuitem', { name: 'Make member' }).click();
  await mine.getByText('A workspace needs an owner.').first().waitFor();

  await mine.getByRole('button', { name: 'Invite' }).click();
  await mine.getByLabel(/^E-?mail/).fill('grace@example.com');
  await mine.getByRole('button', { name: 'Make invitation' }).click();
  const link = await mine.getByTestId('invitation-link').innerText();
  expect(new URL(link).origin).toBe(service.baseUrl);
  await mine.getByRole('button', { name: 'Copy link' }).and(mine.locator(':focus')).waitFor();
  await mine.getByRole('button', { name: 'Done' }).click();
  await mine.getByRole('row', { name: /grace@example.com/ }).waitFor();

  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(link);
  await theirs.getByText(`${owner.email}) invites grace@example.com to this workspace`).waitFor();
  await theirs.getByRole('link', { name: 'Create an account' }).click();
  expect(await theirs.getByLabel(/^E-?mail/).inputValue()).toBe('grace@example.com');
  // The service gets the URL, and proxies log it.
  expect(theirs.url()).not.toContain('grace');
  await theirs.getByLabel('Name').fill('Grace Hopper');
  await theirs.getByLabel('Password', { exact: true }).fill('a long enough password');
  await theirs.getByRole('button', { name: 'Create account' }).click();
  await theirs.getByRole('button', { name: 'Accept' }).click();
  await theirs.waitForURL(`**/w/${owner.accountId}/webinars`);
  await theirs.getByRole('link', { name: 'Members' }).first().click();
  await theirs.getByRole('row', { name: /Grace Hopper \(you\).*Member/ }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Invite' }).count()).toBe(0);

  await mine.reload();
  expect(await mine.getByText('Open invitations').count()).toBe(0);
  await mine.getByRole('button', { name: 'Change Grace Hopper' }).click();
  await mine.getByRole('menuitem', { name: 'Make owner' }).click();
  await mine.getByRole('row', { name: /Grace Hopper.*Owner/ }).waitFor();
  await mine.getByRole('button', { name: 'Change Grace Hopper' }).click();
  await mine.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  // They made no keys, so there is nothing to revoke.
  await mine.getByText('They made no API keys.').waitFor();
  await mine.getByRole('button', { name: 'Remove member' }).click();
  await mine.getByRole('row', { name: /Grace Hopper/ }).waitFor({ state: 'detached' });
  // Without a reload: the stream of the page ends.
  await theirs.getByText('Nothing here').waitFor();
});

test('the removal of a member lists their keys, ends them if the owner chooses so, and marks those that stay', async ({
  service,
  account: owner,
  page,
}) => {
  const status = async (key: string) => (await callRest(service, 'GET /webinars', { key })).status;
  const keyOf: Record<string, string> = {};
  for (const name of ['Max', 'Eve']) {
    const member = await openDashboard(service, await createTestMember(service, owner.accountId, name));
    keyOf[name] = (await member.mutate('keys.create', { label: `CRM of ${name}`, preset: 'read' })).key;
  }
  expect(await status(keyOf['Max']!)).toBe(200);
  await service.api.service.activity.flush();
  await signIn(page, service, owner, `/w/${owner.accountId}/settings/members`);
  const startRemoval = async (name: string) => {
    await page.getByRole('button', { name: `Change ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
    return page.getByRole('dialog', { name: `Remove ${name}` });
  };
  const max = await startRemoval('Max');
  await max.getByText(/^CRM of Max \(svc_live_.+\), last used: .*now$/).waitFor();
  await max.getByLabel('Revoke this key too').check();
  await max.getByRole('button', { name: 'Remove member' }).click();
  await page.getByRole('row', { name: /Max/ }).waitFor({ state: 'detached' });
  const eve = await startRemoval('Eve');
  await eve.getByText(/^CRM of Eve \(svc_live_.+\), last used: Never$/).waitFor();
  await eve.getByRole('button', { name: 'Remove member' }).click();
  await page.getByRole('row', { name: /Eve/ }).waitFor({ state: 'detached' });
  expect([await status(keyOf['Max']!), await status(keyOf['Eve']!)]).toEqual([401, 200]);

  await page.getByRole('link', { name: 'API keys' }).first().click();
  await page.getByRole('row', { name: /CRM of Eve.*Left the workspace/ }).waitFor();
  expect(await page.getByRole('row', { name: /CRM of Max/ }).count()).toBe(0);
});

test('a person switches on the second factor, and signs in elsewhere with a recovery code', async ({
  service,
  account: owner,
  browser,
  page,
}) => {
  await signIn(page, service, owner, `/w/${owner.accountId}/settings/account`);
  await page.getByRole('button', { name: 'Switch on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog
    .getByLabel('Code of the app')
    .fill(codeOf(await dialog.getByTestId('two-factor-key').innerText()));
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  const [recoveryCode = ''] = (await dialog.getByTestId('recovery-codes').innerText()).split('\n');
  await dialog.getByLabel('I have stored this list').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Switch off' }).waitFor();

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${service.baseUrl}/sign-in`);
  await other.getByLabel(/^E-?mail/).fill(owner.email);
  await other.getByLabel('Password', { exact: true }).fill(owner.password);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code').fill(recoveryCode);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.waitForURL(`**/w/${owner.accountId}/**`);
});
