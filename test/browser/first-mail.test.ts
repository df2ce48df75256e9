import { startSmtpFake } from '@service/mail-senders/testing';
import ICAL from 'ical.js';
import { expect } from 'vitest';
import { callRest, createTestKey, inMinutes, scheduleAt, testApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';

test('from sign-up to a confirmation over the own mail server, whose link opens the page of the attendee', async ({
  browser,
}) => {
  await using fake = await startSmtpFake();
  await using service = await testApi({ options: { mail: 'mailbox' } });
  const { baseUrl, db } = service;
  await using _worker = await testWorker(db.url, { mail: 'mailbox', baseUrl });
  const page = await browser.newPage();
  await page.goto(`${baseUrl}/sign-up`);
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel(/^E-?mail/).fill('grace@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/w/*/home');
  const accountId = /\/w\/([^/]+)/.exec(page.url())![1]!;

  await page.goto(`${baseUrl}/w/${accountId}/settings/email?connect=true`);
  const form = page.getByRole('dialog');
  await form.getByLabel('Server').fill('127.0.0.1');
  await form.getByLabel('Port').fill(String(fake.port));
  await form.getByLabel('User name').fill(fake.username);
  await form.getByLabel('Password', { exact: true }).fill(fake.key!);
  await form.getByLabel('From name').fill('Grace from Acme');
  await form.getByLabel('From address').fill('grace@example.com');
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await form.getByText('has accepted the credential').waitFor();

  const { key } = await createTestKey(service, accountId);
  const rest = async (route: string, body?: unknown) =>
    (await callRest(service, route, { key, body })).json.data;
  const sessionTime = inMinutes(60);
  const schedule = scheduleAt(sessionTime);
  const { id } = await rest('POST /webinars', { title: 'Launch', durationSeconds: 1800, schedule });
  await page.goto(`${baseUrl}/w/${accountId}/webinars/${id}`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();
  const { joinUrl } = await rest(`POST /webinars/${id}/registrations`, {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    sessionTime,
  });

  const [mail] = await eventually('the confirmation', () => fake.mails.length > 0 && fake.mails);
  expect(mail).toMatchObject({
    from: { name: 'Grace from Acme', address: 'grace@example.com' },
    to: ['ada@example.com'],
    subject: 'You are registered: Launch',
  });
  const event = new ICAL.Event(
    new ICAL.Component(ICAL.parse(mail!.calendar!.content)).getFirstSubcomponent('vevent')!,
  );
  const times = [event.startDate, event.endDate].map((time) => time.toJSDate().toISOString());
  expect(times).toEqual([sessionTime, new Date(Date.parse(sessionTime) + 1_800_000).toISOString()]);
  const [link] = /http\S+\/room\/\S+/.exec(mail!.text)!;
  expect([link, event.location]).toEqual([joinUrl, joinUrl]);
  await page.goto(link);
  await page.getByText('Your place is saved, Ada').waitFor();
  await page.getByText('Launch', { exact: true }).waitFor();
});
