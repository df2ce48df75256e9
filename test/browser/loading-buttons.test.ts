// A button that loads keeps the focus. Calls of the page wait until the test lets them through.
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard.ts';
import { arrowTo, tabTo } from '../support/keyboard.ts';
import { signIn } from '../support/sign-in.ts';
import { openShop } from './revenue-world.ts';

const patience = { timeout: 20_000 };

let service: TestApi;
let world: TestWorld;
let browser: TestBrowser;
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
  await openShop(await openDashboard(service, world));
  await registerMany();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function openPage(path: string): Promise<Page> {
  const page = await browser.newPage();
  await signIn(page, service, world, `/w/${world.accountId}/${path}`);
  return page;
}

/** Three pages of registrations. */
async function registerMany(): Promise<void> {
  const registrations = Array.from({ length: 110 }, (_, n) => ({
    name: `Person ${n}`,
    email: `person-${n}@example.com`,
    sessionTime: world.webinar.sessionTime,
  }));
  const bulk = `POST /webinars/${world.webinar.id}/registrations/bulk`;
  expect((await callRest(service, bulk, { key: world.key, body: { registrations } })).status).toBe(200);
}

/** Lets the calls with this URL wait. */
async function delayCalls(page: Page, url: RegExp) {
  const waiting: Route[] = [];
  await page.route(url, (route) => void waiting.push(route));
  return {
    /** The last call, when there are this many. */
    async last(count: number): Promise<Route> {
      await expect.poll(() => waiting.length, patience).toBe(count);
      return waiting.at(-1)!;
    },
    count: () => waiting.length,
  };
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

async function expectLoading(button: Locator): Promise<void> {
  await expect.poll(() => button.getAttribute('data-loading'), patience).toBe('true');
  // A menu gives the focus back a moment after it closed.
  await expect.poll(() => hasFocus(button), patience).toBe(true);
  expect(await button.getAttribute('aria-busy')).toBe('true');
  expect(await button.getAttribute('aria-disabled')).toBe('true');
}

async function expectLoaded(button: Locator): Promise<void> {
  await expect.poll(() => button.getAttribute('data-loading'), patience).toBe(null);
  expect(await button.isEnabled()).toBe(true);
  expect(await hasFocus(button)).toBe(true);
}

const unreachable = 'The service could not be reached.';

test('a button keeps the focus and its size while its call waits, and when it fails or succeeds, and sends nothing twice', async () => {
  const page = await openPage('settings/revenue');
  const calls = await delayCalls(page, /revenueSources\.signTest/);
  const button = page.getByRole('button', { name: 'Send a test event to Generic' });
  await tabTo(page, button);
  const size = await button.boundingBox();
  await page.keyboard.press('Enter');
  await expectLoading(button);
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
  await button.dispatchEvent('click');
  expect(await button.boundingBox()).toEqual(size);
  await (await calls.last(1)).abort();
  await page.getByText(unreachable).waitFor();
  await expectLoaded(button);
  expect(calls.count()).toBe(1);

  await page.keyboard.press('Space');
  await expectLoading(button);
  await (await calls.last(2)).continue();
  await page.getByText('Answered 202').waitFor();
  await expectLoaded(button);
  expect(calls.count()).toBe(2);
});

test('a form is not sent twice while its call waits, neither by its button nor by Enter in a field', async () => {
  const page = await openPage('settings/members');
  const calls = await delayCalls(page, /accounts\.invitations\.create/);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('E-mail');
  await field.fill('grace@example.com');
  const button = dialog.getByRole('button', { name: 'Make invitation' });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await expectLoading(button);
  await page.keyboard.press('Enter');
  await field.focus();
  await page.keyboard.press('Enter');
  await tabTo(page, button);
  await (await calls.last(1)).abort();
  await dialog.getByText(unreachable).waitFor();
  await expectLoaded(button);
  expect(calls.count()).toBe(1);

  await page.keyboard.press('Enter');
  await expectLoading(button);
  await (await calls.last(2)).continue();
  await dialog.getByTestId('invitation-link').waitFor();
  expect(calls.count()).toBe(2);
});

test('the button of a menu keeps the focus while an action of the menu waits and when it fails, and stays closed', async () => {
  const page = await openPage('settings/members');
  const calls = await delayCalls(page, /accounts\.members\.setRole/);
  const button = page.getByRole('button', { name: /^Change / });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await arrowTo(page, page.getByRole('menuitem', { name: 'Make member' }));
  await page.keyboard.press('Enter');
  await expectLoading(button);
  await page.keyboard.press('Enter');
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  await (await calls.last(1)).continue();
  await page.getByText('A workspace needs an owner.').waitFor();
  await expectLoaded(button);
  expect(calls.count()).toBe(1);
});

test('“Load more” keeps the focus when the next page is refused, and when it is loaded', async () => {
  const page = await openPage(`webinars/${world.webinar.id}/registrations`);
  const button = page.getByRole('button', { name: 'Load more' });
  await button.focus();
  const calls = await delayCalls(page, /registrations\.list.*cursor/);
  await page.keyboard.press('Enter');
  await expectLoading(button);
  await (
    await calls.last(1)
  ).fulfill({ json: [{ error: { message: 'Refused.', code: -32600, data: refused } }] });
  await page.getByRole('alert').getByText('Refused.').waitFor();
  await expectLoaded(button);

  await page.keyboard.press('Enter');
  await expectLoading(button);
  await (await calls.last(2)).continue();
  await expect.poll(() => page.getByRole('table').locator('tbody tr').count(), patience).toBe(100);
  await expectLoaded(button);
  expect(calls.count()).toBe(2);
});

const refused = { code: 'invalid_request', httpStatus: 400 };
