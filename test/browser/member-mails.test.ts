import { expect } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { startSmtpInbox } from '../worker/smtp-inbox.ts';

test('in the embedded default a person resets a password through the mailbox page', async ({ browser }) => {
  await using service = await testApi({ options: { mail: 'mailbox' } });
  const { baseUrl } = service;
  await using _worker = await testWorker(service.db.url, { mail: 'mailbox', baseUrl });
  const { email } = await createTestAccount(service);
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  await page.goto(`${baseUrl}/sign-in`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel(/^E-?mail/).fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(`If ${email} has an account here`).waitFor();
  await page.getByRole('link', { name: 'Open the mailbox of this installation' }).click();
  await eventually('the mail', async () => {
    await page.reload();
    return (await page.getByRole('link', { name: 'Choose a new password' }).count()) === 1;
  });
  await page.getByRole('link', { name: 'Choose a new password' }).click();
  await page.getByRole('link', { name: /reset-password#/ }).click();
  await page.getByLabel('New password').fill('a new long password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('You are signed out on all devices.').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel(/^E-?mail/).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a new long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/w/*/home');
  expect(errors).toEqual([]);
});

test('with a mail server a person signs up by the link in a mail; in the embedded default at once, with a line to confirm', async ({
  browser,
}) => {
  await using inbox = await startSmtpInbox();
  const mail = { smtpUrl: inbox.url, from: 'hooks@example.com' };
  await using service = await testApi({ options: { mail } });
  const { baseUrl } = service;
  await using _worker = await testWorker(service.db.url, { mail, baseUrl });
  const signUp = async (at: string, email: string) => {
    const page = await browser.newPage();
    await page.goto(`${at}/sign-up`);
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel(/^E-?mail/).fill(email);
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await page.getByRole('button', { name: 'Create account' }).click();
    return page;
  };
  const page = await signUp(baseUrl, 'grace@example.com');
  await page.getByText('grace@example.com gets a mail with a link').waitFor();
  await eventually('the mail', () => inbox.received.length === 1);
  await page.goto(/http:\S+/.exec(inbox.received[0]!.text)![0]);
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/w/*/home');
  expect(await page.getByText('Please confirm your e-mail address').count()).toBe(0);

  await using local = await testApi({ shared: service.db, options: { mail: 'mailbox' } });
  const other = await signUp(local.baseUrl, 'ida@example.com');
  await other.waitForURL('**/w/*/home');
  await other.getByText('Please confirm your e-mail address').waitFor();
  await other.getByRole('button', { name: 'Send again' }).click();
  await other.getByText('A mail with a new link is on its way to ida@example.com.').waitFor();
  await eventually('both mails', () => inbox.received.length === 3);
  await other.goto(/http:\S+/.exec(inbox.received.at(-1)!.text)![0].replace(baseUrl, local.baseUrl));
  await other.getByRole('button', { name: 'Confirm' }).click();
  await other.getByText('Address confirmed').waitFor();
  await other.getByRole('link', { name: 'Open the dashboard' }).click();
  await other.waitForURL('**/w/*/home');
  await other.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await other.getByText('Please confirm your e-mail address').count()).toBe(0);
});
