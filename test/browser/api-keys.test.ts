import { expect } from 'vitest';
import { callRest } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { copyBy } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';

test('a person signs in, creates, copies and uses a key, sees its request count, revokes it, and it is refused', async ({
  service,
  account,
  browser,
}) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== service.baseUrl && !request.url().startsWith('data:'))
      failures.push(request.url());
  });

  await signIn(page, service, account);
  await page.getByRole('link', { name: 'API keys' }).first().click();
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Label').fill('Integration');
  await page.getByLabel('Last day').fill('2999-01-31');
  await page.getByRole('button', { name: 'Generate key' }).click();
  const key = (await page.getByTestId('new-key').textContent())!.trim();
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{32}$/);
  expect(await copyBy(page, page.getByRole('button', { name: 'Copy key' }))).toBe(key);
  await page.getByLabel('I have stored this key').check();
  await page.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row', { name: /Integration/ });
  expect(await row.innerText()).toContain(`${key.slice(0, 13)}...${key.slice(-4)}`);
  expect(await row.innerText()).toContain('Read only');
  expect(await row.innerText()).toContain('1 Feb 2999');
  expect(await row.innerText()).toContain('Never');
  expect(await page.content()).not.toContain(key);

  expect((await callRest(service, 'GET /webinars', { key })).status).toBe(200);
  await service.api.service.activity.flush();
  await page.reload();
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  expect(await row.innerText()).not.toContain('Never');

  await page.getByRole('button', { name: 'Revoke Integration' }).click();
  await page.getByLabel('Type the label to confirm').fill('Integration');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await callRest(service, 'GET /webinars', { key })).status).toBe(401);

  await page.getByRole('link', { name: 'Activity' }).first().click();
  await page
    .getByRole('row', { name: /GET.*\/api\/v1\/webinars/ })
    .first()
    .waitFor();
  expect(failures).toEqual([]);
});

test('a member sees keys but cannot revoke them', async ({ service, account: owner, page }) => {
  const member = { ...owner, email: `member-${Date.now()}@example.com`, password: 'a long enough password' };
  const { accounts } = service.api.service;
  await accounts.addMember({
    accountId: owner.accountId,
    email: member.email,
    password: member.password,
    role: 'member',
  });
  await signIn(page, service, member);
  await page.getByRole('link', { name: 'API keys' }).first().click();
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Label').fill('Mine');
  await page.getByRole('button', { name: 'Generate key' }).click();
  await page.getByLabel('I have stored this key').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const revoke = page.getByRole('button', { name: 'Revoke Mine' });
  await revoke.waitFor();
  await revoke.click({ force: true });
  expect(await page.getByRole('button', { name: 'Revoke key' }).count()).toBe(0);
});
