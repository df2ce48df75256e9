import { expect, test } from 'vitest';
import { createTestWorld, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import {
  bodiesOf,
  choose,
  createRule,
  createWebhook,
  deliveries,
  openAutomations,
  register,
  ruleItem,
  seeDeliveries,
  startMoodyReceiver,
} from './webhook-world.ts';

test('the drawer of a failed delivery shows the reason, copies the request as curl, and sends the delivery again', async () => {
  await using service = await testApi();
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startMoodyReceiver(500);
  const world = await createTestWorld(service);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  await using browser = await launchBrowser();
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await signIn(page, service, world);
  await openAutomations(page);
  await ruleItem(page, 'To the CRM').getByText('Failing').waitFor();
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  await page.getByText('Answered 500, 3 failures in a row').first().waitFor();

  const failed = deliveries(page).getByRole('row', { name: /Failed registered Answered 500/ });
  await failed.getByRole('button', { name: 'registered', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await drawer.getByText('3 of at most 3').waitFor();
  await drawer.getByText('First byte').first().waitFor();
  await drawer.getByText('Request headers').last().click();
  await drawer.getByLabel('Request headers of attempt 3').getByText('x-service-signature').waitFor();
  await drawer.getByRole('button', { name: 'Copy as curl' }).first().click();
  const curl = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(curl).toContain(`curl -X POST '${receiver.url}'`);
  expect(curl.toLowerCase()).toContain(
    `x-service-signature: ${String(receiver.received[2]!.headers['x-service-signature'])}`,
  );
  expect(curl).toContain(receiver.received[2]!.body.toString());

  receiver.status = 200;
  await drawer.getByRole('button', { name: 'Re-fire' }).click();
  await drawer.getByRole('button', { name: 'Open the new delivery' }).click();
  await drawer.getByText('Re-fire', { exact: true }).waitFor();
  await drawer.getByText('Delivered', { exact: true }).first().waitFor();
  await drawer.getByText('thank you').waitFor();
  expect(bodiesOf(receiver).at(-1)).toMatchObject({ event_type: 'registered', is_refire: true });
  await drawer.getByRole('button', { name: 'The original delivery' }).click();
  await drawer.getByText('not today').first().waitFor();
  await page.keyboard.press('Escape');
  await deliveries(page)
    .getByRole('row', { name: /Delivered registered Re-fire 200/ })
    .waitFor();
  expect(failures).toEqual([]);
});

test('a failed delivery can be sent again from the list, but not while its rule is switched off', async () => {
  await using service = await testApi();
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startMoodyReceiver(500);
  const world = await createTestWorld(service);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const refires: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('automations.refire')) refires.push(request.url());
  });
  await signIn(page, service, world);
  await openAutomations(page);
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  const failed = deliveries(page).getByRole('row', { name: /Failed registered Answered 500/ });
  await failed.waitFor();
  receiver.status = 200;
  const menu = failed.getByRole('button', { name: /More about this/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Re-fire' }).click();
  await page.getByRole('button', { name: 'Open it' }).click();
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await drawer.getByText('thank you').waitFor();
  expect(receiver.received).toHaveLength(4);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Launch' }).click();
  await page.getByRole('switch', { name: 'To the CRM enabled' }).click();
  await page.getByRole('switch', { name: 'To the CRM enabled', checked: false }).waitFor();
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  await page.getByText('Off', { exact: true }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: /Re-fire The rule is switched off/, disabled: true }).waitFor();
  await page.getByRole('menuitem', { name: 'Open' }).click();
  await drawer.getByRole('button', { name: 'Re-fire', disabled: true }).focus();
  // A browser tells focus by keyboard from focus by anything else.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('tooltip').getByText('The rule is switched off').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(refires).toHaveLength(1);
});

test('the deliveries of a subscription are filtered by the URL, and more of them can be loaded', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  await createWebhook(service, world, 'http://127.0.0.1:9/hook');
  for (let number = 0; number < 27; number += 1)
    await register(service, world, `attendee-${number}@example.com`);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, world);
  await openAutomations(page);
  await page.getByRole('link', { name: 'http://127.0.0.1:9/hook' }).click();
  await seeDeliveries(page, 25);
  await page.getByRole('button', { name: 'Load more' }).click();
  await seeDeliveries(page, 27);
  await choose(page, 'Event type', 'joined');
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await choose(page, 'Status', 'Queued');
  await seeDeliveries(page, 25);
  expect(new URL(page.url()).searchParams.get('status')).toBe('queued');
  await choose(page, 'Status', 'Failed');
  await page.reload();
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
});
