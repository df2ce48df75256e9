import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createTestAccount, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { harbor } from '../revenue/harbor.ts';
import { launchBrowser } from '../support/browser.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import { choose, register } from './webhook-world.ts';

/** A shop that sends signed events to the generic source. */
interface Shop {
  url: string;
  secret: string;
}

async function openShop(owner: DashboardClient): Promise<Shop> {
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  const sources = (await owner.query('revenueSources.list')) as { provider: string; url: string }[];
  return { secret, url: sources.find(({ provider }) => provider === 'generic')!.url };
}

async function post({ url, secret }: Shop, event: Record<string, unknown>): Promise<Response> {
  const body = JSON.stringify({
    type: 'purchase',
    email: 'ada@example.com',
    amount_minor: 7900,
    currency: 'EUR',
    original_transaction_id: null,
    timestamp: new Date().toISOString(),
    ...event,
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return fetch(url, { method: 'POST', headers: { 'X-Service-Signature': `sha256=${signature}` }, body });
}

async function sell(shop: Shop, event: Record<string, unknown>): Promise<void> {
  expect((await post(shop, event)).status).toBe(202);
}

const drawer = (page: Page) => page.getByRole('dialog', { name: 'Revenue event' });
/** A sentence of the explanation. The JSON of the event contains it too. */
const sentence = (page: Page, text: string) => drawer(page).getByText(text, { exact: true });
const card = (page: Page, currency: string) => page.getByRole('listitem', { name: currency });
const rows = (page: Page) => page.getByRole('region', { name: 'Revenue events' }).getByRole('row');

async function openRevenue(page: Page, tab?: string): Promise<void> {
  await page.getByRole('link', { name: 'Revenue', exact: true }).click();
  if (tab !== undefined) await page.getByRole('tab', { name: tab }).click();
}

test('an owner connects a source, sends a test event, and opens it with the reason why it has no credit', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, world);
  await openRevenue(page);
  await page.getByRole('heading', { name: 'See which webinar sells' }).waitFor();
  await page.getByRole('link', { name: 'Connect a source' }).click();
  const generic = page.getByRole('region', { name: 'Generic', exact: true });
  await generic.getByText('Not connected').waitFor();
  await generic
    .getByText(`${service.baseUrl}/api/webhooks/revenue/${world.accountId}/generic`)
    .first()
    .waitFor();
  await generic.getByRole('button', { name: 'Create secret' }).click();
  const secret = generic.getByLabel('Signing secret of Generic').locator('pre');
  await expect.poll(() => secret.innerText()).toMatch(/^whsec_[A-Za-z0-9+/=_-]{20,}$/);
  await generic.getByText('Copy the secret now. It is shown only once; later you can rotate it.').waitFor();
  await generic.getByRole('button', { name: 'Hide secret' }).click();
  await expect.poll(() => secret.innerText()).toContain('•••');
  expect(await generic.getByRole('button', { name: /(Reveal|Create|Hide) secret/ }).count()).toBe(0);
  // The button that was used is gone, and the focus stays near it.
  await generic.locator('section[aria-label="Signing secret of Generic"]:focus').waitFor();
  await generic.getByRole('button', { name: 'Send a test event to Generic' }).click();
  await generic.getByText('Answered 202').waitFor();
  await generic.locator('button:focus', { hasText: 'Send a test event' }).waitFor();
  // The stream refreshes the card.
  await generic.getByText('Receiving').waitFor();
  await generic.getByText('1 accepted, 0 duplicates, 0 ignored, 0 refused').waitFor();
  await generic.getByRole('link', { name: 'Open the event' }).click();
  await drawer(page).getByText('€0.00').first().waitFor();
  await sentence(page, 'Not credited: no registration matches the purchase.').waitFor();
  await page.keyboard.press('Escape');
  await rows(page).filter({ hasText: 'test@example.com' }).waitFor();
});

test('a purchase and its refund appear without a reload, with the credit and the reason', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  await register(service, world, 'ada@example.com');
  const shop = await openShop(await openDashboard(service, world));
  await sell(shop, { event_id: 'yen', email: 'eve@example.com', amount_minor: 1200, currency: 'JPY' });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
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
  await drawer(page)
    .getByText(/^Credited: registered for “Launch”/)
    .waitFor();
  const steps = drawer(page).getByRole('list', { name: 'The way to the purchase' }).getByRole('listitem');
  expect((await steps.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['Registered', 'Bought']);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Unattributed' }).click();
  const unattributed = page.getByRole('region', { name: 'Unattributed events' });
  await unattributed
    .getByRole('row', { name: /Purchase ¥1,200 eve@example.com .* No registration matches/ })
    .waitFor();
  expect(await unattributed.getByRole('row').count()).toBe(2);
});

test('filters are in the address, and the export has the events that they show', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
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
  await using browser = await launchBrowser();
  const page = await browser.newPage();
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

test('another window shows what would move, and then moves it with progress', async () => {
  await using service = await testApi();
  await using _worker = await testWorker(service.db.url);
  const world = await createTestWorld(service);
  await register(service, world, 'ada@example.com');
  await registerEarlier(service, 10);
  const shop = await openShop(await openDashboard(service, world));
  await sell(shop, { event_id: 'order-1' });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, world);
  await page.getByRole('link', { name: 'Revenue settings' }).click();
  await choose(page, 'Window of the workspace', '60 days');
  await page.getByText('No credit would move: 1 purchase compared.').waitFor();
  await choose(page, 'Window of the workspace', '7 days');
  await page.getByText('1 of 1 purchase would get another credit: €79.00 gross.').waitFor();
  await page
    .getByRole('region', { name: 'Credits that would move' })
    .getByRole('row', { name: /Registered, Launch Unattributed 1 €79.00/ })
    .waitFor();
  await page.getByRole('button', { name: 'Keep 30 days' }).click();
  const windowFocus = page.locator('[role="group"][aria-label="Attribution window"]:focus');
  await windowFocus.waitFor();
  await page.getByText('would get another credit').waitFor({ state: 'detached' });
  await choose(page, 'Window of the workspace', '7 days');
  await page.getByRole('button', { name: 'Change to 7 days' }).click();
  await windowFocus.waitFor();
  await page.getByText('1 of 1 purchases credited again, 1 moved').waitFor();
  await page.getByRole('region', { name: 'Credits after the last change' }).getByText('Done').waitFor();
  await openRevenue(page, 'Unattributed');
  await page.getByRole('row', { name: /The last activity is older than the window/ }).waitFor();
});

/** Registrations of a test are new. Their events do not matter here. */
const registerEarlier = (service: TestApi, days: number) =>
  service.db.database.query(
    { text: 'update attendees.registration set registered_at = registered_at - make_interval(days => $1)' },
    [days],
  );

test('a signed event that was refused is shown with its body and its problems', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const shop = await openShop(await openDashboard(service, world));
  expect((await post(shop, { event_id: 'order-1', amount_minor: -5, currency: 'XXQ' })).status).toBe(422);
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, world);
  await page.getByRole('link', { name: 'Revenue settings' }).click();
  await page.getByRole('region', { name: 'Generic', exact: true }).getByText('Last event refused').waitFor();
  await page.getByRole('region', { name: 'Refused events' }).getByRole('button', { name: 'Generic' }).click();
  const refused = page.getByRole('dialog', { name: 'Refused event' });
  await refused.getByText('amount_minor', { exact: true }).waitFor();
  await refused.getByText('currency', { exact: true }).waitFor();
  expect(JSON.parse(await refused.getByTestId('payload').innerText())).toMatchObject({ amount_minor: -5 });
});

test('a member sees the sources, the window and the revenue, and no button that changes them', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const { accountId } = owner;
  const shop = await openShop(await openDashboard(service, owner));
  await sell(shop, { event_id: 'order-1' });
  const max = { accountId, email: 'max@example.com', password: 'correct horse battery' };
  await service.api.service.accounts.addMember({ ...max, name: 'Max', role: 'member' });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, max);
  await openRevenue(page);
  await card(page, 'EUR').getByText('€79.00').first().waitFor();
  await page.getByRole('link', { name: 'Revenue settings' }).click();
  const generic = page.getByRole('region', { name: 'Generic', exact: true });
  await generic.getByText(`••••${shop.secret.slice(-4)}`).waitFor();
  await page.getByText('30 days').waitFor();
  const names = await page.getByRole('main').getByRole('button').allInnerTexts();
  expect(names.filter((name) => /secret|Rotate|Remove|test event|Change/i.test(name))).toEqual([]);
  expect(await page.getByText('Refused events').count()).toBe(0);
});

test('a secret is rotated with an overlap, replaced by a pasted one, and removed after a question', async () => {
  await using service = await testApi({ options: { otherRevenueProviders: [harbor] } });
  const owner = await createTestAccount(service);
  const shop = await openShop(await openDashboard(service, owner));
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, owner);
  await page.getByRole('link', { name: 'Revenue settings' }).click();
  const generic = page.getByRole('region', { name: 'Generic', exact: true });
  await generic.getByRole('button', { name: 'Rotate' }).click();
  const rotate = page.getByRole('dialog', { name: 'Rotate the secret of Generic' });
  await rotate.getByLabel('1 hour').check();
  await rotate.getByRole('button', { name: 'Rotate secret' }).click();
  const fresh = await rotate.getByTestId('new-secret').innerText();
  await rotate.getByRole('button', { name: 'Done' }).click();
  await generic.getByText(/The previous secret is valid until/).waitFor();
  await sell(shop, { event_id: 'old-secret' });
  await sell({ ...shop, secret: fresh }, { event_id: 'new-secret' });

  await generic.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove secret' }).click();
  await generic.getByText('Not connected').waitFor();
  expect((await post({ ...shop, secret: fresh }, { event_id: 'too-late' })).status).toBe(401);

  const stripe = page.getByRole('region', { name: 'Stripe', exact: true });
  await stripe.getByRole('button', { name: 'Paste secret' }).click();
  const paste = page.getByRole('dialog', { name: 'Signing secret of Stripe' });
  await paste.getByLabel('Signing secret', { exact: true }).fill('not a secret');
  await paste.getByRole('button', { name: 'Save secret' }).click();
  await paste.getByText('This is not a signing secret of Stripe.').waitFor();
  await paste.getByLabel('Signing secret', { exact: true }).fill('whsec_0123456789abcdefABCD');
  await paste.getByRole('button', { name: 'Save secret' }).click();
  await stripe.getByText('••••ABCD').waitFor();
  await stripe.getByRole('button', { name: 'Send a test event to Stripe' }).click();
  await stripe.getByText('Answered 200').waitFor();

  // A provider without texts of its own.
  const other = page.getByRole('region', { name: 'harbor', exact: true });
  await other.getByText('Add a webhook with this address at harbor').waitFor();
  expect(await other.getByText('X-Service-Signature').count()).toBe(0);
  await other.getByRole('button', { name: 'Paste secret' }).click();
  const pasteOther = page.getByRole('dialog', { name: 'Signing secret of harbor' });
  await pasteOther.getByLabel('Signing secret', { exact: true }).fill('hb_secret');
  await pasteOther.getByRole('button', { name: 'Save secret' }).click();
  await other.getByRole('button', { name: 'Send a test event to harbor' }).click();
  await other.getByText('Answered 203').waitFor();
});
