import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBusyTabs, streamsIn, watchRequests } from '../look/find-busy-tabs.ts';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/sign-in.ts';

const openWebinars = async (page: Page, { baseUrl }: TestApi, { accountId }: { accountId: string }) =>
  page.goto(`${baseUrl}/w/${accountId}/webinars`);

const retitle = (service: TestApi, { key, webinar }: TestWorld, title: string) =>
  callRest(service, `PATCH /webinars/${webinar.id}`, { key, body: { title } });

/** Chromium never hides a tab without a window, so the page gets the state and the event of a hidden one. */
const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

test('an idle tab requests nothing but the stream, on every fourth main page, also while a delivery waits for its next try', async ({
  browser,
}) => {
  expect(await findBusyTabs(browser, { isWhole: false })).toEqual([]);
}, 120_000);

test('a tab that is hidden for a while has no stream, and shows what it missed when it is visible again', async ({
  service,
  world,
  page,
}) => {
  await page.clock.install();
  const closed: string[] = [];
  page.on('requestfailed', (request) => closed.push(new URL(request.url()).pathname));
  page.on('requestfinished', (request) => closed.push(new URL(request.url()).pathname));
  await signIn(page, service, world);
  await retitle(service, world, 'Shown');
  await page.getByText('Shown').first().waitFor();

  closed.length = 0;
  await setVisibility(page, 'hidden');
  await page.clock.runFor(10_000);
  await eventually('the stream is closed', () => streamsIn(closed) > 0);
  await retitle(service, world, 'Missed');
  await setVisibility(page, 'visible');
  await page.getByText('Missed').first().waitFor();
});

test('a change appears without a reload; tabs share one stream, and the next tab takes it over', async ({
  service,
  world,
  browser,
}) => {
  const context = await browser.newContext();
  const leader = await context.newPage();
  const { paths: requested } = watchRequests(context);
  await signIn(leader, service, world);
  await eventually('a stream', () => streamsIn(requested) > 0);
  const follower = await context.newPage();
  await openWebinars(follower, service, world);
  await follower.getByRole('heading', { level: 1 }).waitFor();
  const before = streamsIn(requested);

  await retitle(service, world, 'Renamed once');
  await leader.getByText('Renamed once').first().waitFor();
  await follower.getByText('Renamed once').first().waitFor();
  expect(streamsIn(requested)).toBe(before);

  await leader.close();
  await eventually('the stream of the other tab', () => streamsIn(requested) === before + 1);
  await retitle(service, world, 'Renamed twice');
  await follower.getByText('Renamed twice').first().waitFor();
});

test('a bar says since when the service cannot be reached, and goes away when it can', async ({ page }) => {
  await using first = await testApi();
  const service = await testApi({ shared: first.db });
  const world = await createTestWorld(service);
  await signIn(page, service, world);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await service[Symbol.asyncDispose]();
  const bar = page.getByText(/^Not connected since \d\d:\d\d\. Trying again\.$/);
  await bar.waitFor();
  expect(await bar.locator('xpath=..').getAttribute('role')).toBe('status');

  const options = { port: service.api.port, baseUrl: service.baseUrl };
  await using _again = await testApi({ shared: first.db, options });
  await bar.waitFor({ state: 'detached' });
  await retitle(service, world, 'Back again');
  await page.getByText('Back again').first().waitFor();
});

test('a page whose files are gone after a deployment reloads once, then offers to reload', async ({
  service,
  account,
  page,
}) => {
  let loads = 0;
  page.on('load', () => (loads += 1));
  await signIn(page, service, account);
  const before = loads;
  await page.route(/\/assets\/members-page-/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Members' }).first().click();
  await page.getByText('This page could not be loaded.').waitFor();
  expect(loads - before).toBe(1);

  await page.unroute(/\/assets\/members-page-/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Members' }).waitFor();
});

test('what was typed survives the end of the sign-in session, can be discarded, and is for the same person only', async ({
  service,
  account,
  page,
}) => {
  const max = { ...account, email: 'max@example.com' };
  const { accountId, password } = account;
  const { accounts, database } = service.api.service;
  await accounts.addMember({ accountId, email: max.email, password, name: 'Max', role: 'owner' });
  await signIn(page, service, account);
  const label = page.getByLabel('Label');

  const typeAndExpire = async (text: string) => {
    await page.goto(`${service.baseUrl}/w/${accountId}/settings/keys?create=true`);
    await label.fill(text);
    await database.pool.query('delete from accounts.session');
    await page
      .getByText('Your sign-in session has ended. Sign in to continue; what you typed is kept.')
      .waitFor();
  };
  const signInAgain = async ({ email }: { email: string }) => {
    await page.getByLabel(/^E-?mail$/).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await label.waitFor();
  };

  await typeAndExpire('Landing page');
  await signInAgain(account);
  expect(await label.inputValue()).toBe('Landing page');
  await page.getByText('What you typed before was restored.').waitFor();
  await page.getByRole('button', { name: 'Discard it' }).click();
  expect(await label.inputValue()).toBe('');
  expect(await page.getByText('What you typed before was restored.').count()).toBe(0);

  await typeAndExpire('Mine alone');
  await signInAgain(max);
  expect(await label.inputValue()).toBe('');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Mine alone');
});
