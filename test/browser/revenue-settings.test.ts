import { expect } from 'vitest';
import { harbor } from '../revenue/harbor.ts';
import { createTestAccount, testApi, type TestApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import { card, drawer, openRevenue, openShop, post, rows, sell, sentence } from './revenue-world.ts';
import { choose, register } from './webhook-world.ts';

test('an owner connects a source, sends a test event, and opens it with the reason why it has no credit', async ({
  service,
  world,
  page,
}) => {
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
  await sentence(
    page,
    'Not credited: test@example.com was registered for no webinar of this workspace at the time of the purchase.',
  ).waitFor();
  await page.keyboard.press('Escape');
  await rows(page).filter({ hasText: 'test@example.com' }).waitFor();
});

test('another window shows what would move, and then moves it with progress', async ({
  service,
  world,
  page,
}) => {
  await using _worker = await testWorker(service.db.url);
  await register(service, world, 'ada@example.com');
  await registerEarlier(service, 10);
  const shop = await openShop(await openDashboard(service, world));
  await sell(shop, { event_id: 'order-1' });
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

test('a signed event that was refused is shown with its body and its problems', async ({
  service,
  world,
  page,
}) => {
  const shop = await openShop(await openDashboard(service, world));
  expect((await post(shop, { event_id: 'order-1', amount_minor: -5, currency: 'XXQ' })).status).toBe(422);
  await signIn(page, service, world);
  await page.getByRole('link', { name: 'Revenue settings' }).click();
  await page.getByRole('region', { name: 'Generic', exact: true }).getByText('Last event refused').waitFor();
  await page.getByRole('region', { name: 'Refused events' }).getByRole('button', { name: 'Generic' }).click();
  const refused = page.getByRole('dialog', { name: 'Refused event' });
  await refused.getByText('amount_minor', { exact: true }).waitFor();
  await refused.getByText('currency', { exact: true }).waitFor();
  expect(JSON.parse(await refused.getByTestId('payload').innerText())).toMatchObject({ amount_minor: -5 });
});

test('a member sees the sources, the window and the revenue, and no button that changes them', async ({
  service,
  account: owner,
  page,
}) => {
  const { accountId } = owner;
  const shop = await openShop(await openDashboard(service, owner));
  await sell(shop, { event_id: 'order-1' });
  const max = { accountId, email: 'max@example.com', password: 'correct horse battery' };
  await service.api.service.accounts.addMember({ ...max, name: 'Max', role: 'member' });
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

test('a secret is rotated with an overlap, replaced by a pasted one, and removed after a question', async ({
  page,
}) => {
  await using service = await testApi({ options: { otherRevenueProviders: [harbor] } });
  const owner = await createTestAccount(service);
  const shop = await openShop(await openDashboard(service, owner));
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
