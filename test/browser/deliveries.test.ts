import { expect } from 'vitest';
import { createTestWorld, testApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { copyBy } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import {
  bodiesOf,
  choose,
  createRule,
  createWebhook,
  deliveries,
  nameOf,
  openAutomations,
  openWebhooks,
  register,
  registerMany,
  ruleItem,
  seeDeliveries,
  startMoodyReceiver,
} from './webhook-world.ts';

test('the drawer of a failed delivery shows the reason, copies the request as curl and the delivery as JSON, and sends it again', async ({
  service,
  world,
  browser,
}) => {
  await using _worker = await testWorker(service.db.url, { baseUrl: service.baseUrl });
  await using receiver = await startMoodyReceiver(500);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await signIn(page, service, world);
  await openAutomations(page);
  await ruleItem(page, 'To the CRM').getByText('Failing').waitFor();
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  await page.getByText('Answered 500, 3 failures in a row').first().waitFor();

  const failed = deliveries(page).getByRole('row', { name: /Failed registered Ada .* Answered 500/ });
  // A text with a tooltip opens the row too.
  await failed.getByText('Answered 500').click();
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await drawer.getByText('3 of at most 3').waitFor();
  await drawer.getByText('First byte').first().waitFor();
  await drawer.getByText('Request headers').last().click();
  await drawer.getByLabel('Request headers of try 3').getByText('x-service-signature').waitFor();
  const curl = await copyBy(page, drawer.getByRole('button', { name: 'Copy as curl' }).first());
  expect(curl).toContain(`curl -X POST '${receiver.url}'`);
  expect(curl.toLowerCase()).toContain(
    `x-service-signature: ${String(receiver.received[2]!.headers['x-service-signature'])}`,
  );
  expect(curl).toContain(receiver.received[2]!.body.toString());
  const copied = JSON.parse(await copyBy(page, drawer.getByRole('button', { name: 'Copy as JSON' })));
  expect(copied).toMatchObject({
    url: receiver.url,
    body: receiver.received[2]!.body.toString(),
    attemptLog: [{ responseCode: 500 }, { responseCode: 500 }, { responseCode: 500 }],
  });

  receiver.status = 200;
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await drawer.getByText('Repeat', { exact: true }).waitFor();
  await drawer.getByText('Delivered', { exact: true }).first().waitFor();
  await drawer.getByText('thank you').waitFor();
  expect(bodiesOf(receiver).at(-1)).toMatchObject({ event_type: 'registered', is_refire: true });
  await drawer.getByRole('button', { name: 'The original delivery' }).click();
  await drawer.getByText('not today').first().waitFor();
  await page.keyboard.press('Escape');
  await deliveries(page)
    .getByRole('row', { name: /Delivered registered Repeat Ada .* 200/ })
    .waitFor();
  expect(failures).toEqual([]);
});

test('a failed delivery can be sent again from the list, but not while its rule is switched off', async ({
  service,
  world,
  page,
}) => {
  await using _worker = await testWorker(service.db.url, { baseUrl: service.baseUrl });
  await using receiver = await startMoodyReceiver(500);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  const refires: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('automations.refire')) refires.push(request.url());
  });
  await signIn(page, service, world);
  await openAutomations(page);
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  const failed = deliveries(page).getByRole('row', { name: /Failed registered Ada .* Answered 500/ });
  await failed.waitFor();
  receiver.status = 200;
  const menu = failed.getByRole('button', { name: /More about this/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Send again' }).click();
  await page.getByRole('button', { name: 'Open it' }).click();
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await drawer.getByText('thank you').waitFor();
  expect(receiver.received).toHaveLength(4);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Automations' }).click();
  await page.getByRole('switch', { name: 'To the CRM enabled' }).press('Space');
  await page.getByRole('switch', { name: 'To the CRM enabled', checked: false }).waitFor();
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: /Send again The rule is switched off/, disabled: true }).waitFor();
  await page.getByRole('menuitem', { name: 'Open' }).click();
  await drawer.getByRole('button', { name: 'Send again', disabled: true }).focus();
  // A browser distinguishes focus by keyboard from any other focus.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('tooltip').getByText('The rule is switched off').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(refires).toHaveLength(1);
});

test('the deliveries of a subscription are filtered by the URL, and more of them can be loaded', async ({
  service,
  world,
  page,
}) => {
  const url = 'http://127.0.0.1:9/hook';
  await createWebhook(service, world, url);
  await registerMany(service, world, 53);
  await signIn(page, service, world);
  await openWebhooks(page);
  await page
    .getByRole('region', { name: 'Subscriptions' })
    .getByRole('link', { name: nameOf(url) })
    .click();
  await seeDeliveries(page, 50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await seeDeliveries(page, 53);
  await choose(page, 'Event type', 'joined');
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await choose(page, 'Status', 'Queued');
  await seeDeliveries(page, 50);
  await page.waitForURL((url) => url.searchParams.get('status') === 'queued');
  await choose(page, 'Status', 'Failed');
  await page.reload();
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByRole('combobox', { name: 'Attendee' }).fill('attendee 7');
  await page.getByRole('option', { name: 'Attendee 7 (attendee-7@example.com)' }).click();
  await seeDeliveries(page, 1);
  await deliveries(page).getByText('attendee-7@example.com').waitFor();
});

test('the drawer goes through the list by button and key, loads more at its end, and keeps the place in the URL', async ({
  service,
  world,
  page,
}) => {
  await createRule(service, world, 'http://127.0.0.1:9/hook');
  await registerMany(service, world, 52);
  await signIn(page, service, world);
  await openAutomations(page);
  await page.getByRole('link', { name: 'To the CRM' }).click();
  await seeDeliveries(page, 50);
  const opener = deliveries(page).getByRole('button', { name: 'registered', exact: true }).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await drawer.getByText('1 of 50+').waitFor();
  await drawer.getByText('Attendee 51 (attendee-51@example.com)').waitFor();
  expect(await drawer.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
  await page.keyboard.press('j');
  await drawer.getByText('Attendee 50 (attendee-50@example.com)').waitFor();
  await page.keyboard.press('k');
  await drawer.getByText('Attendee 51 (attendee-51@example.com)').waitFor();
  await page.keyboard.press('Escape');
  await deliveries(page).getByRole('button', { name: 'registered', exact: true }).nth(49).click();
  await drawer.getByText('50 of 50+').waitFor();
  await drawer.getByRole('button', { name: 'Next' }).click();
  await drawer.getByText('51 of 52').waitFor();
  await drawer.getByText('Attendee 1 (attendee-1@example.com)').waitFor();
  await page.reload();
  await drawer.getByText('Attendee 1 (attendee-1@example.com)').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

test('a chosen part of the histogram and a class of codes limit the list, also for all webinars of the workspace', async ({
  service,
  world,
  page,
}) => {
  await using _worker = await testWorker(service.db.url, { baseUrl: service.baseUrl });
  await using broken = await startMoodyReceiver(500);
  await using healthy = await startMoodyReceiver(200);
  await createRule(service, world, broken.url);
  await createWebhook(service, world, healthy.url);
  await register(service, world, 'ada@example.com');
  await register(service, world, 'grace@example.com', 'Grace Hopper');
  await signIn(page, service, world, `/w/${world.accountId}/webhooks?tab=deliveries`);
  await seeDeliveries(page, 4);
  await choose(page, 'Response code', '5xx, endpoint failed');
  await seeDeliveries(page, 2);
  expect(await deliveries(page).getByText('To the CRM').count()).toBe(2);
  await choose(page, 'Response code', 'All');
  await choose(page, 'Endpoint', nameOf(healthy.url));
  await seeDeliveries(page, 2);
  await choose(page, 'Endpoint', 'All');

  await page.getByRole('combobox', { name: 'Attendee' }).fill('grace');
  await page.getByRole('option', { name: /^Grace Hopper \(grace@example.com\)\s*Launch/ }).click();
  await seeDeliveries(page, 2);
  expect(new URL(page.url()).searchParams.get('attendee')).not.toBeNull();
  await page.reload();
  await seeDeliveries(page, 2);
  await tabTo(page, page.getByRole('button', { name: 'All attendees' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('input:focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await seeDeliveries(page, 4);

  const bars = page.getByRole('group', { name: /Deliveries over time/ });
  await bars.getByRole('button').last().focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Back to last 7 days' }).waitFor();
  await seeDeliveries(page, 4);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
  await page.getByRole('button', { name: 'Back to last 7 days' }).click();
  await seeDeliveries(page, 4);

  await page.getByRole('tab', { name: 'Endpoints' }).click();
  const endpoints = page.getByRole('region', { name: 'Endpoints' });
  const rows = endpoints.getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.nth(1).innerText()).toContain('To the CRM');
  expect(await rows.nth(1).innerText()).toContain('Failing');
  expect(await rows.nth(2).innerText()).toContain('100%');

  // Those in trouble are first until a column sorts the list.
  const head = (name: string) => endpoints.getByRole('columnheader', { name, exact: true });
  expect(await head('Success, 24 h').getAttribute('aria-sort')).toBe('none');
  await head('Success, 24 h').getByRole('button').press('Enter');
  await head('Success, 24 h').getByRole('button').press('Enter');
  await expect.poll(() => head('Success, 24 h').getAttribute('aria-sort')).toBe('descending');
  await page.reload();
  await expect.poll(() => rows.nth(1).innerText()).toContain('100%');
  await head('Success, 24 h').getByRole('button').press('Enter');
  await expect.poll(() => rows.nth(1).innerText()).toContain('To the CRM');
});

test('from 80 % of the limit the page of webhooks warns, and a delivery beyond it says why it was not sent', async ({
  page,
}) => {
  await using service = await testApi({
    options: { deliveryQuota: { waitingMax: 5, bytesMax: 1024 * 1024 } },
  });
  const world = await createTestWorld(service);
  await createWebhook(service, world, 'http://127.0.0.1:9/');
  for (const name of ['one', 'two', 'three']) await register(service, world, `${name}@example.com`, name);
  await signIn(page, service, world);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByText('Waiting deliveries: 3 of 5. Stored: 1 MB of 1 MB.').waitFor();
  expect(await page.getByText('deliveries wait.').count()).toBe(0);
  await register(service, world, 'four@example.com', 'four');
  await page.getByText('4 of 5 deliveries wait. At the limit new rules,').waitFor();
  await register(service, world, 'five@example.com', 'five');
  await page.getByText('5 of 5 deliveries wait. Until there is room again,').waitFor();
  await register(service, world, 'six@example.com', 'six');
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await deliveries(page)
    .getByRole('row', { name: /Failed registered six .* Not sent: backlog full/ })
    .waitFor();
});
