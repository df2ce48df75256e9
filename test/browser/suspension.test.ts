import { resumeAccount, suspendAccount } from '@service/composition';
import { expect } from 'vitest';
import { createTestKey, createTestWorld } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';

test('members of a suspended workspace see a notice on every page, and a refused change shows the reason', async ({
  service,
  page,
}) => {
  const account = await createTestWorld(service);
  const { accountId } = account;
  await createTestKey(service, accountId);
  const write = (work: typeof suspendAccount) =>
    service.db.database.transaction((tx) => work({ ...tx, accountId, now: new Date() }));
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
