import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  inMinutes,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { createAttendee } from '../support/attendee.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const wide = { viewport: { width: 1440, height: 900 } };

const patience = { timeout: 20_000 };

async function openRegistrations(page: Page, title = 'Launch'): Promise<void> {
  await page.getByText(title, { exact: true }).first().click();
  await page.getByRole('tab', { name: 'Registrations' }).click();
  await page.getByLabel('Name or e-mail').waitFor();
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

async function choose(page: Page, action: string, name = 'Ada Lovelace'): Promise<void> {
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

const joinLink = (page: Page) => page.getByLabel('Join link', { exact: true });

const visit = async (joinUrl: string): Promise<number> =>
  (await fetch(`${joinUrl}/visits`, { method: 'POST' })).status;

/** The field of a company is asked for, and there is a second session a day later. */
async function personWorld(service: TestApi, now: () => Date) {
  const clock = { now, advance: () => undefined, setTo: () => undefined };
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId);
  const world = await createWorld({
    beside: { service, clock },
    workspace: { ...account, key },
    webinar: {
      registrationForm: {
        consentText: 'Send me invitations.',
        fields: [
          { key: 'company', label: 'Company', type: 'text', required: true },
          { key: 'size', label: 'Team size', type: 'select', options: ['1-10', '11-50'] },
        ],
      },
    },
  });
  await world.create('/sessions', { startsAt: inMinutes(24 * 60), control: 'api' });
  return { ...world, account };
}

test('a person is registered with the fields of the form, gets a join link, attends, and is shown with watch time and webhooks', async ({
  browser,
}) => {
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  await using service = await testApi({ now });
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startReceiver((_request, response) =>
    response.writeHead(200).end('thank you'),
  );
  const world = await personWorld(service, now);
  await world.rule(receiver.url);
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openRegistrations(page);

  await page.getByRole('button', { name: 'Register attendee' }).first().click();
  const register = page.getByRole('button', { name: 'Register', exact: true });
  await register.click();
  expect(await page.getByText('Required.').count()).toBe(2);
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('E-mail', { exact: true }).fill('ada@example.com');
  await page.getByLabel('Company').fill('Engine Ltd');
  await page.getByRole('combobox', { name: 'Team size' }).click();
  await page.getByRole('option', { name: '11-50' }).click();
  await page.getByLabel(/Send me invitations/).check();
  await page.getByRole('button', { name: 'Campaign (UTM)' }).click();
  await page.getByLabel('utm_source').fill('newsletter');
  await register.click();
  await joinLink(page).waitFor();
  const joinUrl = await joinLink(page).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  const { json } = await world.call('GET /registrations');
  expect(json.data[0]).toMatchObject({
    joinUrl,
    source: 'dashboard',
    customFields: { company: 'Engine Ltd', size: '11-50' },
    utm: { source: 'newsletter', medium: null },
  });

  ahead = Date.parse(json.data[0].sessionTime) - Date.now() + 1000;
  const clock = { now, advance: (seconds: number) => void (ahead += seconds * 1000), setTo: () => undefined };
  const attendee = createAttendee(service, json.data[0], clock);
  await attendee.visit();
  await attendee.watch(120);
  await page.reload();
  const row = rowOf(page, 'Ada Lovelace');
  await row.getByText(/^2 min · 20 %$/).waitFor();
  await row.getByText('Attending').waitFor();

  await row.getByRole('button', { name: /^Webhooks of Ada Lovelace/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Registration' });
  await drawer.getByText('Joined the session').waitFor();
  await drawer.getByText('Engine Ltd').waitFor();
  await drawer.getByRole('button', { name: /registered to/ }).click();
  await page.getByTestId('payload').waitFor();
  // Closing the delivery returns to the person.
  await page.keyboard.press('Escape');
  await drawer.getByText('Joined the session').waitFor();
  await page.reload();
  await drawer.getByText('Engine Ltd').waitFor();

  await drawer.getByRole('link', { name: 'All webinars of this person' }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  await page.getByRole('img', { name: /^Watched: 0–2\d % of the video\.$/ }).waitFor();
  await page.getByText('Joined the session').waitFor();
  await page.getByRole('button', { name: /^E-mails, webhooks and rules of/ }).click();
  await page.getByRole('button', { name: /registered to/ }).click();
  await page.getByTestId('payload').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Launch', exact: true }).click();
  await drawer.getByText('Joined the session').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Results' }).click();
  await page.getByRole('list', { name: 'Steps' }).getByText('1 (100 % of registered)').first().waitFor();
  await page.getByRole('img', { name: /Viewers along the video/ }).waitFor();
  await page.getByText('Most attendees left at 1:50 to 2:00 (1).').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Sources as CSV' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toBe(
    '\uFEFFSource,Registered,Attended\r\nnewsletter,1,1\r\n',
  );
  await page.getByRole('button', { name: 'Show Viewers along the video as a table' }).click();
  await page.getByRole('row', { name: '1:50 1', exact: true }).waitFor();
  await page.getByRole('row', { name: '2:00 0', exact: true }).waitFor();
});

test('a join link is made new, a person is moved to another session, then cancelled and erased by an owner', async ({
  service,
  browser,
}) => {
  const world = await personWorld(service, () => new Date());
  const answers = { customFields: { company: 'Engine Ltd' } };
  const { joinUrl } = await world.create<{ joinUrl: string }>('/registrations', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    sessionTime: world.webinar.sessionTime,
    ...answers,
  });
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openRegistrations(page);
  expect(await visit(joinUrl)).toBe(201);

  await choose(page, 'New join link…');
  await page.getByRole('button', { name: 'Make new link' }).click();
  await joinLink(page).waitFor();
  const newUrl = await joinLink(page).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  expect([await visit(joinUrl), await visit(newUrl)]).toEqual([410, 201]);

  await choose(page, 'Move to another session…');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('Choose a session.').waitFor();
  await page.getByRole('combobox', { name: 'New session' }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('Ada Lovelace was moved.').waitFor();
  const { json: moved } = await world.call('GET /registrations');
  expect(moved.data[0].sessionTime).not.toBe(world.webinar.sessionTime);
  expect(moved.data[0].joinUrl).toBe(newUrl);

  await choose(page, 'Cancel registration…');
  await page.getByRole('button', { name: 'Cancel registration', exact: true }).click();
  await rowOf(page, 'Ada Lovelace').getByText('Cancelled').waitFor();
  expect(await visit(newUrl)).toBe(410);
  const { json: sessions } = await world.call('GET /sessions');
  expect(sessions.data.map(({ registrationCount: count }: { registrationCount: number }) => count)).toEqual([
    0, 0,
  ]);

  await page.getByText('Ada Lovelace').first().click();
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  const erase = page.getByRole('button', { name: 'Erase this person', exact: true });
  await page.getByLabel('Type the e-mail address to confirm').fill('ada@example');
  expect(await erase.isDisabled()).toBe(true);
  await page.getByLabel('Type the e-mail address to confirm').fill('Ada@example.com');
  await erase.click();
  await page.getByText('The person is being erased.').waitFor();
  await rowOf(page, 'Ada Lovelace').waitFor({ state: 'hidden' });
  expect((await world.call('GET /registrations')).json.data).toEqual([]);
});

test('among a thousand registrations people are found, filtered, selected and cancelled', async ({
  service,
  account,
  browser,
}) => {
  const { key } = await createTestKey(service, account.accountId);
  const world = await createWorld({ beside: { service }, workspace: { ...account, key } });
  const rows = Array.from({ length: 1000 }, (_, n) => ({
    name: `Person ${n} ${n % 100 === 7 ? 'Lovelace' : 'Hopper'}`,
    email: `p${n}@example.com`,
    sessionTime: world.webinar.sessionTime,
  }));
  const at = `POST /webinars/${world.webinar.id}/registrations/bulk`;
  for (const registrations of [rows.slice(0, 500), rows.slice(500)])
    expect((await callRest(service, at, { key, body: { registrations } })).status).toBe(200);
  const page = await browser.newPage(wide);
  await signIn(page, service, account);
  await openRegistrations(page);
  await page.getByText('1,000 registrations').waitFor();

  // Each further page is one call for that page. From 200 rows on, only those near the window are in the document.
  const cursors: (string | undefined)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const inputs = JSON.parse(searchParams.get('input') ?? '{}') as Record<string, { cursor?: string }>;
    for (const [index, procedure] of pathname.replace('/trpc/', '').split(',').entries())
      if (procedure === 'registrations.list') cursors.push(inputs[index]?.cursor);
  });
  const table = page.getByRole('table');
  for (let loaded = 2; loaded <= 5; loaded += 1) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => cursors.length, patience).toBe(loaded - 1);
  }
  await expect.poll(() => table.getAttribute('aria-rowcount'), patience).toBe('251');
  expect(cursors).not.toContain(undefined);
  expect(new Set(cursors).size).toBe(4);
  expect(await table.locator('tbody tr:not([aria-hidden])').count()).toBeLessThan(100);
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
  await rowOf(page, 'Person 750 ').waitFor();

  // A row that stays near the window is not rendered again when others come: React would give its element other props.
  const propsOf = (person: string): string => {
    const row = `[...document.querySelectorAll('tbody tr')].find((each) => each.textContent.includes('${person} '))`;
    return `Object.entries(${row}).find(([name]) => name.startsWith('__reactProps'))[1]`;
  };
  const firstRow = () => table.locator('tbody tr:not([aria-hidden])').first().getAttribute('aria-rowindex');
  let wheel = -300;
  // An answer that arrives meanwhile renders the list.
  await eventually('a scroll that renders no row again', async () => {
    const firstBefore = await firstRow();
    await page.evaluate(`window.propsBefore = ${propsOf('Person 755')}`);
    await page.mouse.wheel(0, wheel);
    await expect.poll(firstRow, patience).not.toBe(firstBefore);
    wheel = -wheel;
    return page.evaluate(`window.propsBefore === ${propsOf('Person 755')}`);
  });

  await page.getByLabel('Name or e-mail').fill('lovel');
  await page.getByText('10 registrations', { exact: true }).waitFor();
  await rowOf(page, 'Person 7 Lovelace').waitFor();
  // The filters are in the address.
  await page.reload();
  await page.getByText('10 registrations', { exact: true }).waitFor();
  await eventually('a selection that makes no cell of another row again', async () => {
    await page.evaluate(`window.cellsBefore = ${propsOf('Person 107')}.children`);
    await page.getByLabel('Select Person 7 Lovelace').click();
    return page.evaluate(`window.cellsBefore === ${propsOf('Person 107')}.children`);
  });
  await page.getByLabel('Select Person 7 Lovelace').check();
  await page.getByLabel('Select Person 107 Lovelace').check();
  await page.getByText('2 selected').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export selected' }).click(),
  ]);
  expect(await readFile(await file.path(), 'utf8')).toMatch(
    /^\uFEFFname,email,[^]*p7@example.com[^]*p107@example.com/,
  );
  await page.getByRole('button', { name: 'New join links…' }).click();
  await page.getByRole('button', { name: 'Make new links' }).click();
  await page.getByText('2 people have new join links.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Cancel registrations…' }).click();
  await page.getByRole('button', { name: 'Cancel 2 registrations' }).click();
  await page.getByText('2 people cancelled.').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Cancelled' }).click();
  await page.getByText('2 registrations', { exact: true }).waitFor();
  await page.getByLabel('Name or e-mail').fill('unknown');
  await page.getByText('No registration matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByText('1,000 registrations').waitFor();
  expect(await page.getByLabel('Name or e-mail').inputValue()).toBe('');

  await page.getByRole('button', { name: 'Import CSV' }).click();
  const lines = [
    'Mail;Full name',
    'new@example.com;New person',
    'p7@example.com;Known person',
    'wrong;No address',
    'NEW@example.com;New person again',
  ];
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'CSV file' }).click(),
  ]);
  await chooser.setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await page.getByRole('cell', { name: /^email: / }).waitFor();
  await page.getByRole('cell', { name: 'An earlier row has this address.' }).waitFor();
  const released = Promise.withResolvers<void>();
  await page.route('**/registrations.createMany*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Import 2 of 4 rows' }).click();
  await page.getByRole('button', { name: 'Stop import' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('The import is still running. Stop it first, or wait until it is done.').waitFor();
  released.resolve();
  await page.getByText('4 of 4 rows: 2 registered, 1 registered before, 1 refused. Done.').waitFor();
  await page.getByText(/^Line 4, wrong: /).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByText('1,002 registrations').waitFor();

  // All calls of an import into an on-demand session name one minute, so a repeated call finds the people it has registered.
  await world.call('PATCH ', { schedule: { onDemand: true } });
  await page.reload();
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.slice(0, 2).join('\n')),
  });
  await page.getByRole('dialog').getByRole('combobox', { name: 'Session' }).click();
  await page.getByRole('option', { name: /on demand$/ }).click();
  const sent = page.waitForRequest('**/registrations.createMany*');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  expect((await sent).postData()).toMatch(/"sessionTime":"\d{4}-/);
  await page.getByText('1 of 1 row: 1 registered, 0 registered before, 0 refused. Done.').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();

  // An on-demand session stays one when the sessions were read again meanwhile, with another time.
  await page.getByRole('button', { name: 'Register attendee' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Register attendee' });
  await dialog.getByRole('combobox', { name: 'Session' }).click();
  await page.getByRole('option', { name: /on demand$/ }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await dialog.getByLabel('E-mail', { exact: true }).fill('grace@example.com');
  await page.route(/sessions\.slots/, async (route) => {
    const response = await route.fetch();
    const minuteLater = (text: string) => text.replaceAll(/:\d\d:00\.000Z/g, ':59:00.000Z');
    await route.fulfill({ response, body: minuteLater(await response.text()) });
  });
  const readAgain = page.waitForResponse(/sessions\.slots/);
  await world.register('late@example.com');
  await readAgain;
  const booked = page.waitForRequest('**/registrations.create*');
  await dialog.getByRole('button', { name: 'Register', exact: true }).click();
  expect((await booked).postData()).not.toContain('sessionTime');
  await page.getByRole('button', { name: 'Done' }).click();

  // A phone shows the list below two filters and a button.
  await page.setViewportSize({ width: 390, height: 844 });
  const source = page.getByRole('combobox', { name: 'Source' });
  await source.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'More filters' }).click();
  await source.waitFor();
}, 120_000);
