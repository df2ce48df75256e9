import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import {
  bodiesOf,
  createRule,
  createWebhook,
  deliveries,
  nameOf,
  openAutomations,
  openWebhooks,
  register,
  ruleItem,
  startMoodyReceiver,
} from './webhook-world.ts';

test('a receiver that does not answer is shown as paused, and its waiting deliveries are sent after a manual retry', async ({
  service,
  world,
  page,
}) => {
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startMoodyReceiver(410);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  await signIn(page, service, world);
  await page.getByText('Launch').first().click();
  await page.getByText('The rule To the CRM is paused').waitFor();
  await page.getByText(/Answered 410, .* in a row/).waitFor();
  await page.getByText('No delivery is lost').waitFor();
  await page.getByRole('tab', { name: 'Automations' }).click();
  await ruleItem(page, 'To the CRM').getByText('Paused').waitFor();

  receiver.status = 200;
  await page.getByRole('button', { name: 'Try now' }).click();
  await ruleItem(page, 'To the CRM').getByText('Healthy').waitFor();
  await page.getByText('is paused').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  await deliveries(page)
    .getByRole('row', { name: /Delivered registered Ada .* 200/ })
    .waitFor();
});

test('a test is sent to a subscription with several event types, and the dialog shows its result', async ({
  service,
  world,
  page,
}) => {
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startReceiver();
  await createWebhook(service, world, receiver.url);
  await signIn(page, service, world);
  await openWebhooks(page);
  await page
    .getByRole('region', { name: 'Subscriptions' })
    .getByRole('link', { name: nameOf(receiver.url) })
    .click();
  await page.getByRole('heading', { name: 'Nothing sent yet' }).waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByRole('combobox', { name: 'Event' }).click();
  await page.getByRole('option', { name: 'An attendee joins' }).click();
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await dialog.getByText('The endpoint accepted it.').waitFor();
  expect(bodiesOf(receiver)).toMatchObject([{ event_type: 'joined', is_test: true }]);
  await dialog.getByRole('button', { name: 'Open delivery' }).click();
  await page.getByRole('dialog', { name: 'Webhook delivery' }).getByText('Test', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await deliveries(page)
    .getByRole('row', { name: /Delivered joined Test .*200/ })
    .waitFor();
});

test('failed deliveries since a time are counted and sent again, and the progress stays visible after a reload', async ({
  service,
  world,
  page,
}) => {
  await using receiver = await startMoodyReceiver(500);
  await createRule(service, world, receiver.url);
  const attendees = ['ada@example.com', 'grace@example.com', 'mary@example.com'];
  {
    await using _worker = await testWorker(service.db.url);
    for (const email of attendees) await register(service, world, email);
    await eventually('three deliveries have used up their tries', () => receiver.received.length === 9);
  }
  receiver.status = 200;
  await signIn(page, service, world);
  await openAutomations(page);
  await page.getByRole('link', { name: 'Deliveries of To the CRM' }).click();
  await page.getByRole('button', { name: 'Recover' }).click();
  const dialog = page.getByRole('dialog', { name: /Send again what failed/ });
  await dialog.getByText('3 deliveries will be sent again').waitFor();
  await dialog.getByRole('checkbox', { name: 'Failed' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Delivered' }).check();
  await dialog.getByText('Nothing to send again').waitFor();
  await dialog.getByRole('checkbox', { name: 'Failed' }).check();
  await dialog.getByRole('button', { name: 'Last hour' }).click();
  await dialog.getByRole('button', { name: 'Send 3 deliveries again' }).click();
  await dialog.getByText('0 of 3 queued again').waitFor();
  await page.reload();
  await dialog.getByText('0 of 3 queued again').waitFor();
  await dialog.getByRole('button', { name: 'Stop' }).waitFor();

  await using _worker = await testWorker(service.db.url);
  await dialog.getByText('3 of 3 queued again').waitFor();
  await dialog.getByText('Done', { exact: true }).waitFor();
  await eventually('all three have arrived', () => receiver.received.length === 12);
  const recovered = bodiesOf(receiver).slice(-attendees.length);
  expect(recovered.map((body) => (body['attendee'] as { email: string }).email).toSorted()).toEqual(
    attendees,
  );
  expect(recovered.every((body) => body['is_refire'] === true)).toBe(true);
  await page.keyboard.press('Escape');
  await expect
    .poll(
      () =>
        deliveries(page)
          .getByRole('row', { name: /Delivered registered Repeat Ada .* 200/ })
          .count(),
      { timeout: 20_000 },
    )
    .toBe(3);
});
