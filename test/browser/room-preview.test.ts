import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard.ts';
import { startReceiver } from '../support/receiver.ts';
import type { World } from '../support/world.ts';
import { createInteractionWorld, openInteractions } from './interactions-world.ts';

let world: World;
let browser: TestBrowser;
beforeAll(async () => {
  world = await createInteractionWorld();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

test('the preview shows the card of the room in the colour of the workspace while an offer is typed', async () => {
  const owner = await openDashboard(world.service, world);
  await owner.mutate('accounts.workspace.changeBranding', { color: '#008a5c', logoUrl: null });
  const { page } = await openInteractions(world, browser);
  const calls: string[] = [];
  page.on('request', (request) => void calls.push(new URL(request.url()).pathname));
  await page.goto(`${page.url()}?new=offer`);
  const panel = page.getByRole('dialog', { name: 'New offer' });
  const room = panel.frameLocator('iframe[title="Preview of the room"]');
  // Half a URL is no picture: the browser would load it as a path of the room.
  await panel.getByLabel('Image URL').fill('htt');
  await panel.getByLabel('Headline').fill('20 % off until midnight');
  await panel.getByLabel('Countdown').fill('10:00');
  const card = room.getByRole('article', { name: '20 % off until midnight' }).first();
  await card.getByText(/Ends in 9:5\d/).waitFor();
  const buy = card.getByRole('link', { name: /^Button/ });
  expect(await backgroundOf(buy)).toBe('rgb(0, 138, 92)');
  await buy.click();
  expect(await backgroundOf(card)).toBe('rgb(255, 255, 255)');
  await panel.getByText('Dark', { exact: true }).click();
  await expect.poll(() => backgroundOf(card)).toBe('rgb(27, 27, 32)');
  expect(page.context().pages()).toHaveLength(1);
  expect(calls.filter((path) => path.startsWith('/room/'))).toEqual(['/room/preview']);
});

const backgroundOf = (locator: Locator): Promise<string> =>
  locator.evaluate((element) => element.ownerDocument.defaultView!.getComputedStyle(element).backgroundColor);

test('no other site can show the preview in a frame', async () => {
  const { baseUrl } = world.service;
  await using site = await startReceiver((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<iframe src="${baseUrl}/room/preview"></iframe>`);
  });
  const page = await browser.newPage();
  const refusal = page.waitForEvent('console', { predicate: (message) => message.type() === 'error' });
  await page.goto(site.url);
  expect((await refusal).text()).toContain("frame-ancestors 'self'");
});
