import { resumeAccount, suspendAccount } from '@service/composition';
import { expect, test } from 'vitest';
import { createTestKey, createTestWorld, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';

test('members of a suspended workspace see a notice on every page, and a refused change shows the reason', async () => {
  await using service = await testApi();
  const account = await createTestWorld(service);
  const { accountId } = account;
  await createTestKey(service, accountId);
  const write = (work: typeof suspendAccount) =>
    service.db.database.transaction((tx) => work({ ...tx, accountId, now: new Date() }));
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await write(suspendAccount);
  await signIn(page, service, account);
  const notice = page.getByText('This workspace is suspended', { exact: true });
  await notice.waitFor();
  await page.getByRole('link', { name: 'API keys' }).first().click();
  await notice.waitFor();
  expect(await page.getByRole('row', { name: /Test/ }).first().innerText()).toContain('Operator');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Label').fill('Refused');
  await page.getByRole('button', { name: 'Generate key' }).click();
  await page.getByText('This workspace is suspended. Contact the operator of the service.').waitFor();

  await write(resumeAccount);
  await page.reload();
  await page.getByRole('row', { name: /Test/ }).first().waitFor();
  expect(await notice.count()).toBe(0);
});
