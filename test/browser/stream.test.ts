import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import { createRule, register, startMoodyReceiver } from './webhook-world.ts';

/** The paths of all requests of a context. */
function watchRequests(context: BrowserContext): string[] {
  const paths: string[] = [];
  context.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

const streamsIn = (paths: readonly string[]): number =>
  paths.filter((path) => path === '/trpc/accounts.stream').length;

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

// This one and the next mostly wait.
test.concurrent('an idle tab requests nothing but the stream, on every main page, also while a delivery waits for its next try', async () => {
  const retryScheduleSeconds = [0, 86_400];
  await using service = await testApi({ options: { retryScheduleSeconds } });
  await using _worker = await testWorker(service.db.url, { retryScheduleSeconds });
  await using receiver = await startMoodyReceiver(500);
  const world = await createTestWorld(service);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  const ruleId = (
    await callRest(service, `GET /webinars/${world.webinar.id}/automations`, { key: world.key })
  ).json.data[0].id;
  await using browser = await launchBrowser();
  const context = await browser.newContext();
  const first = await context.newPage();
  await signIn(first, service, world);
  const webinar = `webinars/${world.webinar.id}`;
  const paths = [
    'webinars',
    webinar,
    ...[
      'schedule',
      'page',
      'interactions',
      'adaptive',
      'sessions',
      'registrations',
      'automations',
      'webhooks',
    ].map((tab) => `${webinar}/${tab}`),
    `${webinar}/rule/${ruleId}`,
    'webhooks',
    'webhooks?tab=deliveries',
    'revenue',
    'settings/revenue',
    'settings/keys',
    'ai-tools',
    'settings/activity',
    'settings/members',
  ];
  for (const path of paths) {
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/w/${world.accountId}/${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('load');
  }
  await eventually('a failed try', () => receiver.received.length === 1);
  // The last answers and what they start.
  await first.waitForTimeout(3000);
  const requested = watchRequests(context);
  await first.waitForTimeout(20_000);
  expect(requested).toEqual([]);
}, 120_000);

test.concurrent('a tab that is hidden for a while has no stream, and shows what it missed when it is visible again', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const closed: string[] = [];
  page.on('requestfailed', (request) => closed.push(new URL(request.url()).pathname));
  page.on('requestfinished', (request) => closed.push(new URL(request.url()).pathname));
  await signIn(page, service, world);
  await retitle(service, world, 'Shown');
  await page.getByText('Shown').first().waitFor();

  closed.length = 0;
  await setVisibility(page, 'hidden');
  await eventually('the stream is closed', () => streamsIn(closed) > 0);
  await retitle(service, world, 'Missed');
  await setVisibility(page, 'visible');
  await page.getByText('Missed').first().waitFor();
});

test('a change appears without a reload; tabs share one stream, and the next tab takes it over', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  await using browser = await launchBrowser();
  const context = await browser.newContext();
  const leader = await context.newPage();
  const requested = watchRequests(context);
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

test('a bar says since when the service cannot be reached, and goes away when it can', async () => {
  await using first = await testApi();
  const service = await testApi({ shared: first.db });
  const world = await createTestWorld(service);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
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

test('a page whose files are gone after a deployment reloads once, then offers to reload', async () => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
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

test('what was typed survives the end of the sign-in session, can be discarded, and is for the same person only', async () => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  const max = { ...account, email: 'max@example.com' };
  const { accountId, password } = account;
  const { accounts, database } = service.api.service;
  await accounts.addMember({ accountId, email: max.email, password, name: 'Max', role: 'owner' });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
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

test('a webinar that is being created survives the end of the sign-in session', async () => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, account, `/w/${account.accountId}/webinars?create=true`);
  const title = page.getByRole('dialog').getByLabel('Title', { exact: true });
  await title.fill('Half a webinar');
  await service.api.service.database.pool.query('delete from accounts.session');
  await page.getByText('Sign in to continue; what you typed is kept.').waitFor();
  await page.getByLabel(/^E-?mail$/).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('What you typed before was restored.').waitFor();
  expect(await title.inputValue()).toBe('Half a webinar');
});
