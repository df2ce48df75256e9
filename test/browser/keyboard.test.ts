// A whole flow without a pointer: Tab, arrows, Enter, Space and Escape only.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { arrowTo, tabTo, typeInto } from '../support/keyboard.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import { bodiesOf, register, startMoodyReceiver } from './webhook-world.ts';

const press = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** Goes to the list of tabs, and by arrow key to one of them. */
async function openTab(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('tab', { name, exact: true });
  await tabTo(page, page.getByRole('tab', { selected: true }));
  const tabs = await page.getByRole('tab').count();
  for (let presses = 0; presses < tabs && !(await hasFocus(wanted)); presses += 1)
    await page.keyboard.press('ArrowRight');
  await expect.poll(() => wanted.getAttribute('aria-selected')).toBe('true');
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Escape closes the panel, and the focus is where it was before. */
async function closeTo(page: Page, panel: Locator, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(opener)).toBe(true);
}

test('a webinar and a subscription are made, and a delivery sent again, with the keyboard alone', async ({
  service,
  account,
  page,
}) => {
  await using _worker = await testWorker(service.db.url);
  await using crm = await startMoodyReceiver(500);

  await page.goto(service.baseUrl);
  await typeInto(page, page.getByLabel(/^E-?mail/), account.email);
  await typeInto(page, page.getByLabel('Password', { exact: true }), account.password);
  await page.keyboard.press('Enter');
  await createWebinar(page);
  await createSubscription(page, crm.url);
  await press(page, button(page, 'Publish'));
  await page.getByText('Published', { exact: true }).first().waitFor();
  await registerAttendee(page);
  await expect.poll(() => crm.received.length, { timeout: 30_000 }).toBeGreaterThan(2);
  crm.status = 200;
  await sendAgain(page);
  await expect
    .poll(() => bodiesOf(crm).filter((body) => body['is_refire'] === true).length, { timeout: 30_000 })
    .toBe(1);
  await sortAndSearch(page);
}, 240_000);

async function createWebinar(page: Page): Promise<void> {
  await press(page, button(page, 'Create webinar'));
  const dialog = page.getByRole('dialog', { name: 'Create webinar' });
  await expect.poll(() => hasFocus(dialog.getByLabel('Title'))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(button(page, 'Create webinar'))).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => hasFocus(dialog.getByLabel('Title'))).toBe(true);
  await page.keyboard.type('Launch');
  // Enter takes the first match and does not send the form, and leaving the field takes the only match.
  const zone = dialog.getByRole('combobox', { name: 'Time zone' });
  await typeInto(page, zone, 'tokyo');
  await page.keyboard.press('Enter');
  expect(await zone.inputValue()).toBe('Asia/Tokyo');
  await typeInto(page, zone, 'new york');
  await page.keyboard.press('Tab');
  expect(await zone.inputValue()).toBe('America/New_York');
  await press(page, dialog.getByRole('button', { name: 'Create' }));
  await page.getByRole('heading', { name: 'Launch' }).waitFor();
}

async function createSubscription(page: Page, url: string): Promise<void> {
  await openTab(page, 'Webhooks');
  await press(page, button(page, 'Create subscription'));
  const form = page.getByRole('dialog', { name: 'Create subscription' });
  await typeInto(page, form.getByLabel('Endpoint URL'), url);
  await typeInto(page, form.getByLabel('Description'), 'Log');
  await press(page, form.getByRole('button', { name: 'All event types' }));
  await press(page, form.getByRole('button', { name: 'Create subscription' }));
  await tabTo(page, page.getByLabel('I have stored this secret'));
  await page.keyboard.press('Space');
  await press(page, page.getByRole('button', { name: 'Done' }));
  await page.getByRole('link', { name: 'Log', exact: true }).first().waitFor();
}

async function registerAttendee(page: Page): Promise<void> {
  await openTab(page, 'Registrations');
  await press(page, button(page, 'Register attendee'));
  const dialog = page.getByRole('dialog', { name: 'Register attendee' });
  await typeInto(page, dialog.getByLabel('Name', { exact: true }), 'Grace Hopper');
  await typeInto(page, dialog.getByLabel('E-mail', { exact: true }), 'grace@example.com');
  await page.keyboard.press('Enter');
  await page.getByLabel('Join link', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** From the navigation to the delivery of the subscription, into its drawer and back. */
async function sendAgain(page: Page): Promise<void> {
  await press(page, page.getByRole('link', { name: 'Webhooks' }).first());
  await press(page, page.getByRole('link', { name: 'Log', exact: true }).first());
  const list = page.getByRole('region', { name: 'Deliveries', exact: true });
  await list.getByText('Failed', { exact: true }).first().waitFor({ timeout: 30_000 });
  const opener = list.getByRole('button', { name: 'registered', exact: true }).last();
  await press(page, opener);
  const drawer = page.getByRole('dialog', { name: 'Webhook delivery' });
  await press(page, drawer.getByRole('button', { name: 'Send again' }));
  await drawer.getByText('Repeat', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
}

async function sortAndSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  const search = page.getByRole('textbox', { name: 'Search' });
  await search.waitFor();
  await expect.poll(() => hasFocus(search)).toBe(true);
  await page.keyboard.type('Launch');
  await page.getByRole('button', { name: /^Launch/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/details');
  await press(page, page.getByRole('link', { name: 'Webinars' }).first());
  const head = page.getByRole('columnheader', { name: 'Title' });
  await press(page, head.getByRole('button'));
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
  expect(await hasFocus(head.getByRole('button'))).toBe(true);
}

test('a schedule is changed, a session moved, a join link renewed, a place cancelled and a webinar archived with the keyboard alone', async ({
  service,
  world,
  page,
}) => {
  await register(service, world, 'ada@example.com');
  const path = `/w/${world.accountId}/webinars/${world.webinar.id}`;
  await signIn(page, service, world, `${path}/schedule`);
  const choose = async (menu: string, item: string) => {
    await press(page, page.getByRole('button', { name: menu, exact: true }));
    await arrowTo(page, page.getByRole('menuitem', { name: item }));
    await page.keyboard.press('Enter');
  };

  await tabTo(page, page.getByRole('switch', { name: /^On demand/ }));
  await page.keyboard.press('Space');
  await press(page, page.getByRole('button', { name: 'Save', exact: true }));
  await page.getByText('Saved', { exact: true }).waitFor();

  await openTab(page, 'Sessions');
  await choose('More about this session', 'Move…');
  await tabTo(page, page.getByLabel('Starts at'));
  // The next month.
  await page.keyboard.press('ArrowUp');
  await press(page, page.getByRole('button', { name: 'Move session' }));
  await page.getByText('The session was moved.').waitFor();

  await openTab(page, 'Registrations');
  await choose('More about Ada Lovelace', 'New join link…');
  await press(page, page.getByRole('button', { name: 'Make new link' }));
  await page.getByLabel('Join link', { exact: true }).waitFor();
  await press(page, page.getByRole('button', { name: 'Done' }));
  await choose('More about Ada Lovelace', 'Cancel registration…');
  await press(page, page.getByRole('button', { name: 'Cancel registration', exact: true }));
  await page
    .getByRole('row', { name: /Ada Lovelace/ })
    .getByText('Cancelled')
    .waitFor();

  await choose('More about Launch', 'Archive');
  await press(page, page.getByRole('button', { name: 'Archive webinar' }));
  await page.getByRole('heading', { name: 'Webinars', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Launch' }).count()).toBe(0);
});

const lateDialogs = [
  { path: 'webinars', opener: 'Create webinar', control: 'Title' },
  { path: 'settings/members', opener: 'Invite', control: 'E-mail' },
  { path: '$webinar/sessions', opener: 'Create API-controlled session', control: 'Starts at' },
  { path: '$webinar/webhooks', opener: 'Create subscription', control: 'Endpoint URL' },
  { path: '$webinar/details', opener: 'More about Launch', item: 'Duplicate', control: 'Title of the copy' },
  {
    path: '$webinar/sessions',
    opener: 'More about this session',
    item: 'Cancel session…',
    control: 'Keep session',
  },
];

test('a dialog whose content comes late gives the focus to its first control, and Escape gives it back', async ({
  service,
  world,
  page,
}) => {
  const workspace = `/w/${world.accountId}`;
  await signIn(page, service, world, `${workspace}/webinars`);
  for (const { path, opener, item, control } of lateDialogs) {
    await page.goto(
      `${service.baseUrl}${workspace}/${path.replace('$webinar', `webinars/${world.webinar.id}`)}`,
    );
    const button = page.getByRole('button', { name: opener }).first();
    await button.waitFor();
    // The dialog is open before its content is there.
    const opened = Promise.withResolvers<void>();
    await page.route('**/assets/**', (route) => opened.promise.then(() => route.continue()));
    await button.click();
    if (item !== undefined) await page.getByRole('menuitem', { name: item }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    opened.resolve();
    const wanted = dialog
      .getByLabel(control)
      .or(dialog.getByRole('button', { name: control }))
      .first();
    await expect.poll(() => hasFocus(wanted), { message: control, timeout: 20_000 }).toBe(true);
    if (item === undefined) await closeTo(page, dialog, button);
    await page.unrouteAll();
  }
});

// Runs in the page, so it is text. The name of the element with the focus, if another element is in front of its middle.
const hiddenFocus = `(() => {
  const element = document.activeElement;
  const { left, top, width, height } = element.getBoundingClientRect();
  if (element === document.body || width === 0) return null;
  const front = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = front !== null && (element.contains(front) || front.contains(element));
  return isSeen ? null : (element.labels?.[0]?.textContent ?? element.textContent) + ' behind ' + front?.className;
})()`;

test('what has the focus is never behind a bar or a head, on tabs with long forms', async ({
  service,
  world,
  browser,
}) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 700 } });
  const path = `/w/${world.accountId}/webinars/${world.webinar.id}`;
  const hidden: string[] = [];
  for (const tab of ['details', 'schedule', 'interactions?new=poll']) {
    await signIn(page, service, world, `${path}/${tab}`);
    await page.getByRole('textbox').nth(2).waitFor();
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press(key);
        const found = await page.evaluate<string | null>(hiddenFocus);
        if (found !== null) hidden.push(`${tab}, ${key}: ${found}`);
      }
    }
  }
  expect(hidden).toEqual([]);
}, 90_000);
