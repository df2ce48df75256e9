import { expect, test } from 'vitest';
import { createTestAccount, createTestWebinar, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';

test('a person creates a webhook rule, registers an attendee, and reads the payload and the response of the delivery', async () => {
  await using service = await testApi();
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startReceiver((_request, response) =>
    response.writeHead(201).end('thank you'),
  );
  const account = await createTestAccount(service);
  await createTestWebinar(service, account.accountId);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, account);

  await page.getByText('Launch').first().click();
  await page.getByRole('tab', { name: 'Automations' }).click();
  await page.getByRole('button', { name: 'Create rule' }).first().click();
  await page.getByLabel('Rule name').fill('To the CRM');
  await page.getByLabel('Endpoint URL').fill('https://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await page.getByText('The URL points to a private or reserved address.').waitFor();
  await page.getByLabel('Endpoint URL').fill(receiver.url);
  await page.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('switch', { name: 'To the CRM enabled' }).waitFor();
  await page.getByRole('button', { name: 'Reveal secret' }).click();
  await expect.poll(() => page.getByTestId('rule-secret').innerText()).toMatch(/whsec_[\w+/]{43}=/);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Registrations' }).click();
  await page.getByRole('button', { name: 'Register attendee' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel(/^E-?mail/).fill('ada@example.com');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const row = page.getByRole('row', { name: /Ada Lovelace/ });
  await page.getByRole('button', { name: 'Done' }).click();
  await row.getByRole('button', { name: /Webhooks of Ada Lovelace/ }).click();
  await page.getByRole('button', { name: /registered to To the CRM/ }).click();
  await page.getByText('thank you').first().waitFor();
  expect(await page.getByTestId('payload').innerText()).toContain('"event_type": "registered"');
  expect(receiver.received).toHaveLength(1);
  // The drawer is part of the address, so it can be shared and survives a reload.
  await page.reload();
  await page.getByTestId('payload').waitFor();
});
