import { expect } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
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
  registerMany,
  ruleItem,
  startMoodyReceiver,
} from './webhook-world.ts';

/** A day until the second try, so that nothing that waits arrives by itself. */
const retryScheduleSeconds = [0, 86_400, 86_400];

test('a subscription is created, described, rotated, switched off and deleted in the dashboard', async ({
  service,
  world,
  page,
}) => {
  await using _worker = await testWorker(service.db.url);
  await using receiver = await startReceiver();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await signIn(page, service, world);
  await openWebhooks(page);
  await page.getByRole('heading', { name: 'No subscriptions yet' }).waitFor();
  await page.getByRole('button', { name: 'Create subscription' }).click();
  const form = page.getByRole('dialog', { name: 'Create subscription' });
  await form.getByRole('button', { name: 'Create subscription' }).click();
  await form.getByText('Choose at least one event type.').waitFor();
  await form.getByLabel('Endpoint URL').fill(receiver.url);
  await form.getByLabel('Search event types').fill('register');
  await form.getByRole('checkbox', { name: /registered/ }).check();
  await form.getByRole('button', { name: 'Create subscription' }).click();

  const stored = page.getByRole('dialog', { name: 'Store the signing secret' });
  const first = await stored.getByTestId('new-secret').innerText();
  expect(first).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  expect(await stored.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await stored.getByLabel('I have stored this secret').check();
  await stored.getByRole('button', { name: 'Done' }).click();
  await stored.waitFor({ state: 'detached' });

  const subscriptions = page.getByRole('region', { name: 'Subscriptions' });
  await subscriptions
    .getByRole('link', { name: nameOf(receiver.url) })
    .first()
    .waitFor();
  await register(service, world, 'ada@example.com');
  await deliveries(page)
    .getByRole('row', { name: /Delivered registered Ada .* 200/ })
    .waitFor();

  await subscriptions.getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit subscription' });
  await edit.getByLabel('Description').fill('CRM, production');
  await edit.getByRole('button', { name: 'All event types' }).click();
  // Escape asks before the changes are lost.
  await page.keyboard.press('Escape');
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  // Another person changes the endpoint meanwhile. Both changes are kept.
  const { key, webinar } = world;
  const at = `/webinars/${webinar.id}/webhooks`;
  const [{ id }] = (await callRest(service, `GET ${at}`, { key })).json.data;
  const url = `${receiver.url}/second`;
  await callRest(service, `PATCH ${at}/${id}`, { key, body: { url } });
  await edit.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'This was changed in the meantime' });
  await conflict.getByText(/\(API\) saved the other change on/).waitFor();
  await conflict.getByText(`They changed it to “${url}”`).waitFor();
  await conflict.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect((await callRest(service, `GET ${at}/${id}`, { key })).json.data).toMatchObject({
    url,
    description: 'CRM, production',
  });
  const link = subscriptions.getByRole('link', { name: 'CRM, production' }).first();
  await link.waitFor();
  await subscriptions
    .getByText(/registered, joined, left, no_show/)
    .first()
    .waitFor();

  await subscriptions.getByRole('button', { name: 'More about CRM, production' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const rotate = page.getByRole('dialog', { name: /Rotate the secret/ });
  await rotate.getByText('There is no grace period').waitFor();
  await rotate.getByRole('button', { name: 'Rotate secret' }).click();
  const renewed = page.getByRole('dialog', { name: 'Store the new signing secret' });
  const second = await renewed.getByTestId('new-secret').innerText();
  expect(second).not.toBe(first);
  await renewed.getByLabel('I have stored this secret').check();
  await renewed.getByRole('button', { name: 'Done' }).click();
  expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(
    'whsec_',
  );

  await link.click();
  await page.getByRole('heading', { name: 'CRM, production', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'More about this subscription' }).click();
  await page.getByRole('menuitem', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByText('No delivery waits.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Off', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Webhooks' }).last().click();
  await page.getByRole('switch', { name: 'CRM, production active' }).press('Space');
  await page.getByRole('switch', { name: 'CRM, production active', checked: true }).waitFor();

  await subscriptions.getByRole('button', { name: 'More about CRM, production' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete subscription' }).click();
  await page.getByRole('heading', { name: 'No subscriptions yet' }).waitFor();
  expect(failures).toEqual([]);
});

test('two subscriptions of one host have different names in the list, the heading and the title of the tab', async ({
  service,
  world,
  page,
}) => {
  await createWebhook(service, world, 'http://127.0.0.1:9/first');
  await createWebhook(service, world, 'http://127.0.0.1:9/second');
  await signIn(page, service, world);
  await openWebhooks(page);
  for (const name of ['127.0.0.1:9/first', '127.0.0.1:9/second']) {
    await page.getByRole('link', { name }).first().click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await page.title()).toContain(name);
    await page.goBack();
  }
});

test('a run that sends what waits is stopped by a button, and the rest waits for its own next try again', async ({
  page,
}) => {
  await using service = await testApi({ options: { retryScheduleSeconds } });
  await using _worker = await testWorker(service.db.url, { retryScheduleSeconds });
  await using receiver = await startMoodyReceiver(500);
  const world = await createTestWorld(service);
  await createRule(service, world, receiver.url);
  await registerMany(service, world, 40);
  await eventually('all have failed once', () => receiver.received.length === 40);
  await signIn(page, service, world);
  await openAutomations(page);
  await page.getByRole('link', { name: 'To the CRM' }).click();
  await page.getByRole('button', { name: 'Send all that wait now' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Send 40 deliveries now' }).press('Enter');
  // The endpoint fails again and is paused, so the run goes on until it is stopped.
  const sending = page.getByRole('region', { name: 'Sending what waits' });
  await sending.getByText('The endpoint is paused.').waitFor();
  await sending.getByRole('button', { name: 'Stop sending' }).press('Enter');
  await sending.waitFor({ state: 'detached' });
  await deliveries(page)
    .getByText(/^in (\d\d h|1 d)$/)
    .first()
    .waitFor();
  expect(receiver.received.length).toBeLessThan(80);
});

test('a rule says what waits, also in the form of its URL and after the change; a waiting delivery reads as sent again when it was', async ({
  page,
}) => {
  await using service = await testApi({ options: { retryScheduleSeconds } });
  await using _worker = await testWorker(service.db.url, { retryScheduleSeconds });
  await using receiver = await startMoodyReceiver(500);
  const world = await createTestWorld(service);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  await signIn(page, service, world);
  await openAutomations(page);
  const item = ruleItem(page, 'To the CRM');
  await item.getByText('1 waiting').waitFor();
  await item.getByText(new URL(receiver.url).host, { exact: true }).waitFor();
  await item.getByRole('button', { name: 'More about To the CRM' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: 'Change rule' });
  const url = form.getByLabel('Endpoint URL');
  await url.press('End');
  await url.pressSequentially('/new');
  expect(await url.inputValue()).toBe(`${receiver.url}/new`);
  await form.getByText('1 delivery waits and goes to the new URL after you save.').waitFor();
  await form.getByRole('button', { name: 'Save rule' }).click();
  await form.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await item.getByText('Not tried since the change').waitFor();
  await page.getByRole('link', { name: 'To the CRM' }).click();
  const row = deliveries(page).getByRole('row', { name: /Retrying registered/ });
  await row.getByRole('button', { name: 'registered', exact: true }).click();
  receiver.status = 200;
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await drawer.getByText('Delivered', { exact: true }).first().waitFor();
  await drawer.getByRole('button', { name: 'The original delivery' }).click();
  await drawer.getByText('Sent again', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'The delivery that was sent instead' }).click();
  await drawer.getByText('thank you').waitFor();
  expect(bodiesOf(receiver)).toMatchObject([{}, { is_refire: true }]);
});
