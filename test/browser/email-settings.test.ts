import { createSecret } from '@service/signing';
import { expect } from 'vitest';
import { insertConnection } from '../connections/connection-rows.ts';
import { createTestAccount, testApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { copyBy } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { signIn } from '../support/sign-in.ts';

test('an owner reads what DNS says, copies the missing records, checks again, and gives the secret that signs reports', async ({
  page,
}) => {
  const records = {
    'example.com': { MX: ['10 mail.example.com'] },
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] },
  };
  await using dns = await startDnsServer(records);
  await using service = await testApi({ options: { dnsServers: [dns.address] } });
  const account = await createTestAccount(service);
  const connectionId = await insertConnection(service, account.accountId);
  const settings = `/w/${account.accountId}/settings/email`;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, service, account, settings);

  const row = page.getByRole('region', { name: 'Domains' }).getByRole('row', { name: 'example.com' });
  await row.getByText('Missing').first().waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    expect.stringMatching(/^example\.com\s+Resend$/),
    'Missing',
    'Missing',
    'Missing',
    'Found',
    'Found',
  ]);
  await row.getByRole('button', { name: 'example.com' }).click();
  const drawer = page.getByRole('dialog', { name: 'DNS records of example.com' });
  const spf = drawer.getByRole('region', { name: 'SPF' });
  await spf.getByText('send.example.com has no SPF record. If you chose another name').waitFor();
  const copied = (button: string) => copyBy(page, spf.getByRole('button', { name: button }));
  expect(await copied('Copy host')).toBe('send.example.com');
  expect(await copied('Copy value')).toBe('v=spf1 include:amazonses.com ~all');
  await drawer.getByText('As your provider shows it').first().waitFor();
  const again = page.waitForRequest((one) =>
    /"isFresh":true/.test(decodeURIComponent(one.url()) + (one.postData() ?? '')),
  );
  await drawer.getByRole('button', { name: 'Check again' }).click();
  await again;
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.url()).toBe(service.baseUrl + settings);

  const card = page.getByRole('article', { name: 'Resend' });
  await card.getByText('Reports are not read yet.').waitFor();
  await card.getByText('/api/webhooks/mail/').waitFor();
  await card.getByRole('button', { name: 'Paste signing secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret of Resend' });
  const field = dialog.getByLabel('Signing secret', { exact: true });
  await field.fill('no secret');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This is not a signing secret of Resend').waitFor();
  const secret = createSecret();
  await field.fill(secret);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText(`•••• ${secret.slice(-4)}`).waitFor();
  const owner = await openDashboard(service, account);
  expect((await owner.query('connections.get', { connectionId })).reports.state).toBe('read');

  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const provider = page.getByRole('dialog').getByLabel('Provider');
  await expect
    .poll(() => provider.evaluate((element) => element === element.ownerDocument.activeElement))
    .toBe(true);
  await page.getByLabel('From name').fill('Ada from Example');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  // Escape answers the question and leaves the form open.
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await page.getByLabel('From name').inputValue()).toBe('Ada from Example');
});
