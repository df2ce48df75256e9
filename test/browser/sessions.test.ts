import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld } from '../support/world.ts';

const wide = { viewport: { width: 1440, height: 900 } };

const patience = { timeout: 20_000 };

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

async function sessionWorld(service: TestApi) {
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId);
  const world = await createWorld({ beside: { service }, workspace: { ...account, key } });
  return { ...world, account };
}

async function openSessions(page: Page): Promise<void> {
  await page.getByText('Launch', { exact: true }).first().click();
  await page.getByRole('tab', { name: 'Sessions' }).click();
}

const list = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Sessions' }).getByText(name, { exact: true }).click();

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' });

test('an API-controlled session is created, started, moved on, ended and reset on its page', async () => {
  await using service = await testApi();
  const world = await sessionWorld(service);
  await using browser = await launchBrowser();
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openSessions(page);

  await page.getByRole('button', { name: 'Create API-controlled session' }).click();
  await page.getByLabel('Starts at').fill('2020-01-01T10:00');
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByText('Must be in the future.').waitFor();
  await page.getByLabel('Starts at').fill('2099-01-01T10:00');
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByText('The session was created.').waitFor();
  const { json } = await world.call('GET /sessions');
  const { id, startsAt } = json.data.find(({ control }: { control: string }) => control === 'api');
  expect(startsAt).toBe('2099-01-01T10:00:00.000Z');
  const read = async () => (await world.call(`GET /sessions/${id}`)).json.data;

  await page
    .getByRole('row', { name: /API-controlled/ })
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByLabel('Position').waitFor();
  expect((await read()).status).toBe('live');
  await page.getByLabel('Position').fill('11:00');
  await page.getByText('At most 10:00, the length.').waitFor();
  await page.getByLabel('Position').fill('2:05');
  await page.getByRole('button', { name: 'Seek' }).click();
  await page.getByText('Now at 2:05 of 10:00.').waitFor();
  expect((await read()).positionSeconds).toBe(125);

  await page.getByRole('button', { name: 'End session…' }).click();
  await page.getByRole('button', { name: 'End session', exact: true }).click();
  await page.getByRole('dialog', { name: 'Session' }).getByText('Ended', { exact: true }).first().waitFor();
  expect((await read()).status).toBe('ended');
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page.getByRole('button', { name: 'Reset session', exact: true }).click();
  await page.getByRole('button', { name: 'Start session' }).waitFor();
  expect(await read()).toMatchObject({ status: 'scheduled', positionSeconds: 0 });
  // The drawer is part of the address.
  await page.reload();
  await page.getByRole('button', { name: 'Start session' }).waitFor();
});

test('a session is moved, and cancelled with the number of people whom it concerns', async () => {
  await using service = await testApi();
  const world = await sessionWorld(service);
  await world.register('ada@example.com');
  await world.register('bob@example.com');
  const taken = await world.create('/sessions', { startsAt: '2099-01-01T10:00:00Z', control: 'api' });
  expect(taken['id']).toBeTruthy();
  await using browser = await launchBrowser();
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openSessions(page);
  const row = sessions(page).getByRole('row').nth(1);
  await row.getByText('2', { exact: true }).waitFor();

  await row.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Move…' }).click();
  await page.getByText(/2 people are registered and keep the place/).waitFor();
  await page.getByLabel('Starts at').fill('2099-01-01T10:00');
  await page.getByRole('button', { name: 'Move session' }).click();
  await page.getByText('The webinar already has a session that starts at this time.').waitFor();
  await page.getByLabel('Starts at').fill('2098-06-01T12:30');
  await page.getByRole('button', { name: 'Move session' }).click();
  await page.getByText('The session was moved.').waitFor();
  const { json } = await world.call('GET /registrations');
  expect(json.data.map(({ sessionTime }: { sessionTime: string }) => sessionTime)).toEqual(
    Array.from({ length: 2 }, () => '2098-06-01T12:30:00.000Z'),
  );

  await row.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Cancel session…' }).click();
  await page.getByText('2 people are registered. The registrations stay in the list').waitFor();
  await page.getByRole('button', { name: 'Cancel session', exact: true }).click();
  await page.getByText('The session was cancelled.').waitFor();
  await list(page, 'Past');
  await sessions(page).getByText('Cancelled').waitFor();
  // The former time of the moved session is not a session to people.
  expect(await sessions(page).getByRole('row').count()).toBe(2);

  await sessions(page)
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: 'More about this session' })
    .click();
  await page.getByRole('menuitem', { name: 'Registrations' }).click();
  await page.getByText('2 registrations', { exact: true }).waitFor();
});

test('the lists of upcoming and past sessions begin at the nearest start, page by page', async () => {
  await using service = await testApi();
  const world = await sessionWorld(service);
  const { pool } = service.db.database;
  await pool.query(
    `insert into webinars.session (account_id, id, webinar_id, kind, control, status, starts_at, ends_at, timezone,
       position_seconds, created_at)
     select $1, gen_random_uuid(), $2, 'scheduled', 'clock', 'scheduled', now() + n * interval '1 day',
       now() + n * interval '1 day 1 hour', 'UTC', 0, now()
     from generate_series(-120, 120) n where n <> 0`,
    [world.account.accountId, world.webinar.id],
  );
  await using browser = await launchBrowser();
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openSessions(page);
  const starts = () =>
    sessions(page)
      .locator('tbody time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
  await expect.poll(async () => (await starts()).length, patience).toBe(50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(async () => (await starts()).length, patience).toBe(100);
  const upcoming = await starts();
  expect(upcoming).toEqual(upcoming.toSorted(byText));
  expect(Date.parse(upcoming[0] ?? '')).toBeGreaterThan(Date.now());
  await list(page, 'Past');
  await expect.poll(async () => (await starts())[0]! < new Date().toISOString(), patience).toBe(true);
  const past = await starts();
  expect(past).toEqual(past.toSorted(byText).toReversed());
});
