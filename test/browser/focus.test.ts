// The focus is never lost: Tab goes on from where the person is.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createTestWebinar } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { tabTo, typeInto } from '../support/keyboard.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld } from '../support/world.ts';

const focused = (page: Page) => page.locator('*:focus').last();

test('a refused sign-up marks each wrong field for screen readers and focuses the first', async ({
  service,
  page,
}) => {
  await page.goto(`${service.baseUrl}/sign-up`);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await typeInto(page, field('Name'), 'Ada Lovelace');
  await typeInto(page, field('Password'), 'short');
  await page.keyboard.press('Enter');
  await page.getByText('Enter an e-mail address.').waitFor();
  expect(await field('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(await field('Password').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => focused(page).getAttribute('type')).toBe('email');
});

test('the first key is made, copied and stored with the keyboard, and the focus stays near', async ({
  service,
  account,
  browser,
}) => {
  // Without the permission for the clipboard, as on plain http.
  const page = await browser.newPage();
  await signIn(page, service, account, `/w/${account.accountId}/settings/keys`);
  await tabTo(page, page.getByRole('button', { name: 'Create API key' }));
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Label' }).waitFor();
  // The pages of tests want no movement.
  await page.locator('input:focus').waitFor();
  expect(await page.evaluate('getComputedStyle(document.activeElement).transitionDuration')).toBe('0s');
  await page.keyboard.type('Landing page');
  await page.keyboard.press('Enter');
  const copy = page.getByRole('button', { name: 'Copy key' });
  await copy.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await copy.getByText('Copied').waitFor();
  await copy.and(page.locator(':focus')).waitFor();
  await tabTo(page, page.getByLabel('I have stored this key'));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await page.locator('#content:focus').waitFor();
});

test('after a webinar was published, the focus is in its page', async ({ page }) => {
  await using world = await createWorld({ publish: false });
  await signIn(page, world.service, world, `/w/${world.accountId}/webinars/${world.webinar.id}/details`);
  await tabTo(page, page.getByRole('button', { name: 'Publish' }));
  await page.keyboard.press('Enter');
  await page.getByText('Published', { exact: true }).first().waitFor();
  await page.locator('#content:focus').waitFor();
});

test('the open tab of a phone is outside of the fade, and the fade ends with the last tab', async ({
  service,
  account,
  browser,
}) => {
  const webinar = await createTestWebinar(service, account.accountId);
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const edgesOf = async (tab: string) => {
    await signIn(page, service, account, `/w/${account.accountId}/webinars/${webinar.id}/${tab}`);
    const list = page.getByRole('tablist').first();
    await list.waitFor();
    return list.evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      const open = element.querySelector('[aria-selected="true"]')!.getBoundingClientRect();
      const fade = element.ownerDocument
        .defaultView!.getComputedStyle(element)
        .getPropertyValue('--fade-end');
      return { room: right - open.right, fade: Number.parseFloat(fade) };
    });
  };
  const automations = await edgesOf('automations');
  expect(automations.fade).toBe(32);
  expect(automations.room).toBeGreaterThanOrEqual(32);
  expect((await edgesOf('webhooks')).fade).toBeLessThan(1);
});
