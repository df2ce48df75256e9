import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { createWorld } from '../support/world.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';

test('a member changes the confirmation, sees the preview of a registrant, adds a reminder, and reads which e-mails a person got', async ({
  service,
  page,
}) => {
  const world = await createWorld({ beside: { service } });
  await using _worker = await testWorker(service.db.url, { mail: 'mailbox', baseUrl: service.baseUrl });
  const registrationId = await world.register('grace@example.com', { name: 'Grace Hopper' });
  const tab = `/w/${world.accountId}/webinars/${world.webinar.id}`;
  await signIn(page, service, world, `${tab}/mails`);

  await page.getByRole('button', { name: 'Confirmation', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Confirmation' });
  const preview = panel.getByRole('region', { name: 'Preview' });
  await preview.getByText('You are registered: Launch').waitFor();
  await panel.getByLabel('Subject').fill('Welcome, ');
  await panel.getByRole('button', { name: 'Insert firstName' }).click();
  await expect.poll(() => panel.getByLabel('Subject').inputValue()).toBe('Welcome, {{firstName}}');
  // Nothing is saved yet.
  await preview.getByText('Welcome, Grace', { exact: true }).waitFor();
  await preview.frameLocator('iframe').getByText('Hello Grace').waitFor();

  const text = panel.getByRole('textbox', { name: 'Text' });
  await text.fill('Hello {{fistName}}');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('There is no variable {{fistName}}.').waitFor();
  await text.fill('Hello {{firstName}}, see you.');
  await world.call('PATCH /mails', { kinds: { confirmation: { subject: 'Hi' } } });
  await panel.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'This was changed in the meantime' });
  await conflict.getByRole('button', { name: 'Save' }).click();
  await panel.waitFor({ state: 'detached' });
  expect((await world.get('/mails')).kinds.confirmation).toEqual({
    enabled: true,
    subject: 'Welcome, {{firstName}}',
    text: 'Hello {{firstName}}, see you.',
  });

  await page.getByRole('button', { name: 'Add reminder' }).click();
  await page.getByRole('dialog').getByLabel('Time').fill('2');
  await page.getByRole('combobox', { name: 'Unit' }).click();
  await page.getByRole('option', { name: 'Days' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add reminder' }).click();
  await page
    .getByRole('dialog', { name: 'Reminder', exact: true })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('switch', { name: 'Reminder, 2 days before the start enabled' }).press('Space');
  await expect
    .poll(async () => (await world.get('/mails')).reminders[0])
    .toMatchObject({ minutesBefore: 2880, enabled: false });

  await page.goto(`${service.baseUrl}${tab}/registrations?registration=${registrationId}`);
  const mails = page.getByRole('region', { name: 'E-mails' }).getByRole('listitem');
  await mails.filter({ hasText: 'Confirmation' }).getByText('Sent', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('menuitem', { name: 'Thank you' }).click();
  const question = page.getByRole('dialog', { name: 'Send again: Thank you' });
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('This mail does not fit the registration').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('menuitem', { name: 'Confirmation' }).click();
  await page.getByRole('dialog', { name: 'Send again' }).getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => mails.filter({ hasText: 'Sent' }).count()).toBe(2);
});

test('a webinar without e-mails says so, and an address is suppressed and written to again', async ({
  service,
  page,
}) => {
  const world = await createWorld({ beside: { service } });
  await world.call('PATCH /mails', { enabled: false });
  const at = `/w/${world.accountId}`;
  await signIn(page, service, world, `${at}/webinars/${world.webinar.id}/mails`);
  await page.getByText('This webinar sends no e-mails').waitFor();
  await page.goto(`${service.baseUrl}${at}/webinars/${world.webinar.id}/page`);
  const noLink = page.getByText('New attendees get no join link');
  await page.getByRole('switch', { name: 'Send join links by e-mail only' }).press('Space');
  await noLink.waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await world.get('')).registrationPage.linksByMailOnly).toBe(true);
  await page.goto(`${service.baseUrl}${at}/webinars/${world.webinar.id}/mails`);
  await page.getByLabel('Send e-mails to attendees').click();
  await expect.poll(async () => (await world.get('/mails')).enabled).toBe(true);
  await page.getByRole('switch', { name: 'Confirmation enabled' }).press('Space');
  await noLink.waitFor();
  await page.getByRole('switch', { name: 'Confirmation enabled' }).press('Space');
  await noLink.waitFor({ state: 'detached' });

  await page.goto(`${service.baseUrl}${at}/settings/email`);
  await page.getByRole('button', { name: 'Add address' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('gone');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('Not an e-mail address.').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('gone@example.com');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Remove gone@example.com' }).click();
  await dialog.getByText('This workspace writes to gone@example.com again').waitFor();
  await dialog.getByRole('button', { name: 'Remove address' }).click();
  await page.getByText('No suppressed addresses').waitFor();
});
