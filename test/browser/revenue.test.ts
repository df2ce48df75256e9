import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signIn } from '../support/sign-in.ts';
import { card, drawer, openRevenue, openShop, rows, sell, sentence } from './revenue-world.ts';
import { choose, register } from './webhook-world.ts';

test('a purchase and its refund appear without a reload, with the credit and the reason', async ({
  service,
  world,
  page,
}) => {
  await register(service, world, 'ada@example.com');
  const shop = await openShop(await openDashboard(service, world));
  await sell(shop, { event_id: 'yen', email: 'eve@example.com', amount_minor: 1200, currency: 'JPY' });
  await signIn(page, service, world);
  await openRevenue(page);
  await card(page, 'JPY').getByText('¥1,200').first().waitFor();
  expect(await card(page, 'EUR').count()).toBe(0);

  await sell(shop, { event_id: 'order-1' });
  await card(page, 'EUR').getByText('€79.00').first().waitFor();
  await sell(shop, {
    event_id: 'refund-1',
    type: 'refund',
    amount_minor: -3000,
    original_transaction_id: 'order-1',
  });
  await card(page, 'EUR').getByText('€49.00').first().waitFor();
  await card(page, 'EUR').getByText('-€30.00').waitFor();
  // Amounts of two currencies are never added.
  await card(page, 'JPY').getByText('¥1,200').first().waitFor();

  await page.getByRole('combobox', { name: 'Currency of the chart and the groups' }).click();
  await page.getByRole('option', { name: 'EUR' }).click();
  await page
    .getByRole('region', { name: 'Revenue by Webinar' })
    .getByRole('row', { name: /Launch €49.00 €79.00 -€30.00/ })
    .waitFor();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await page
    .getByRole('region', { name: 'Net over time' })
    .getByRole('row', { name: /€79.00 -€30.00 €0.00 €49.00/ })
    .waitFor();

  await page.getByRole('tab', { name: 'Events' }).click();
  await rows(page).filter({ hasText: 'Purchase' }).filter({ hasText: 'Partly refunded' }).waitFor();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await sentence(page, 'This event has the credit of its purchase.').waitFor();
  await drawer(page).getByText('By the id of the transaction').waitFor();
  await drawer(page).getByRole('button', { name: 'Purchase' }).click();
  await sentence(page, 'The e-mail address of the purchase has a registration.').waitFor();
  const credited = await drawer(page)
    .getByText(/^Credited: registered for “Launch”/)
    .innerText();
  const steps = drawer(page).getByRole('list', { name: 'The way to the purchase' }).getByRole('listitem');
  const [registered, bought] = (await steps.allInnerTexts()).map((text) => text.split('\n'));
  expect([registered![0], bought![0]]).toEqual(['Registered', 'Bought']);
  expect(credited).toContain(`on ${registered![1]}`);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Unattributed' }).click();
  const unattributed = page.getByRole('region', { name: 'Unattributed events' });
  await unattributed
    .getByRole('row', { name: /Purchase ¥1,200 No registration matches eve@example.com/ })
    .waitFor();
  expect(await unattributed.getByRole('row').count()).toBe(2);

  await sell(shop, { event_id: 'order-2', email: 'ada@exampel.com', amount_minor: 5000 });
  await page.getByText('€50.00 gross, €50.00 net').waitFor();
  const typo = unattributed.getByRole('row').filter({ hasText: 'ada@exampel.com' });
  await typo.getByRole('button', { name: 'Purchase' }).click();
  await drawer(page).getByRole('button', { name: 'Credit ada@example.com' }).click();
  const form = page.getByRole('dialog', { name: 'Credit by hand' });
  await form.getByLabel('Why').fill('A typing error');
  await form.getByRole('button', { name: 'Credit', exact: true }).click();
  await drawer(page)
    .getByText(/^Credited by hand by .+: “A typing error”\.$/)
    .waitFor();
  // The chosen person may be another one than the buyer.
  await drawer(page).getByRole('link', { name: 'Find in People' }).waitFor();
  await typo.waitFor({ state: 'detached' });
});

test('filters are in the address, and the export has the events that they show', async ({
  service,
  world,
  page,
}) => {
  const shop = await openShop(await openDashboard(service, world));
  await sell(shop, { event_id: 'order-1' });
  await sell(shop, { event_id: 'order-2', email: 'grace@example.com', amount_minor: 500 });
  await sell(shop, {
    event_id: 'refund-2',
    type: 'refund',
    email: 'grace@example.com',
    amount_minor: -500,
    original_transaction_id: 'order-2',
  });
  await signIn(page, service, world);
  await openRevenue(page, 'Events');
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByLabel('E-mail').fill('Grace@example.com');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(page).count()).toBe(3);
  await choose(page, 'Type', 'Refund');
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.reload();
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor();
  expect(await rows(page).count()).toBe(2);

  await page.getByRole('button', { name: 'Export CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export revenue events as CSV' });
  await dialog.getByText('that matches the filters of this page').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('refund-2');
  await page.goBack();
  await expect.poll(() => rows(page).count()).toBe(3);
});
