import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  callRest,
  createTestKey,
  createTestWebinar,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

/** The webinar in the URL, as REST answers it. */
async function readWebinar(service: TestApi, { accountId }: TestAccount, page: Page) {
  const { key } = await createTestKey(service, accountId);
  const webinarId = /webinars\/([^/?]+)/.exec(page.url())![1];
  return (await callRest(service, `GET /webinars/${webinarId}`, { key })).json.data;
}

test('a person creates a webinar, edits its details, schedule and form, follows the publish check and publishes it', async ({
  service,
  account,
  page,
}) => {
  await signIn(page, service, account);

  await page.getByRole('button', { name: 'Create webinar' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Product launch');
  await page.getByLabel('Length', { exact: true }).fill('1:15');
  await page.getByText('1 h 15 min.').waitFor();
  await page.getByRole('combobox', { name: 'Repeats' }).click();
  await page.getByRole('option', { name: 'Every second week' }).click();
  await page.getByText(/^Every second week on \w+ at 18:00, from/).waitFor();
  await page.getByRole('button', { name: 'Create draft' }).click();

  await page.getByLabel('Public title').fill('See what is new');
  await page.getByLabel('Video URL').fill('ftp://example.com/launch.mp4');
  await page.getByText('Must be an http or https URL.').waitFor();
  await page.getByLabel('Video URL').fill('https://example.com/launch.mp4');
  await page.getByLabel('Length').fill('');
  await save(page);
  // The first field with a problem gets the focus, and nothing is sent.
  await page.getByText('One field has a problem').waitFor();
  expect(await page.getByLabel('Length').evaluate((node) => node.matches(':focus'))).toBe(true);
  await page.getByLabel('Length').fill('45');
  await page.keyboard.press('Control+s');
  await saved(page);

  await tab(page, 'Schedule');
  await page.getByRole('button', { name: /^Remove: Every second week/ }).click();
  await page.getByText('No session can be booked. Add a date').waitFor();
  await page.getByRole('button', { name: 'Add a date' }).and(page.locator(':focus')).waitFor();
  await save(page);
  await page.getByText('One thing before you can publish').waitFor();
  await tab(page, 'Details');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('link', { name: 'Go to Schedule' }).click();
  const add = page.getByRole('button', { name: 'Add a date' });
  await add.waitFor();
  await expect.poll(() => add.evaluate((node) => node.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Repeats' }).click();
  await page.getByRole('option', { name: 'Every week', exact: true }).click();
  await page.getByLabel('First day', { exact: true }).fill('2030-01-07');
  await expect.poll(() => page.getByRole('checkbox', { name: 'monday' }).isChecked()).toBe(true);
  await page.getByText('Every Monday at 18:00, from 7 January 2030', { exact: true }).waitFor();
  // Times of another year have the year, before anything is saved.
  await page
    .getByTestId('slot-preview')
    .getByText(/^Monday,? 14 January 2030$/)
    .waitFor();
  await page.getByLabel('First day without sessions').fill('2030-01-20');
  await page.getByLabel('Last day without sessions').fill('2030-01-31');
  await page.getByRole('button', { name: 'Add 12 days' }).click();
  await page.getByRole('button', { name: 'Remove Sun, 20 Jan 2030 to Thu, 31 Jan 2030' }).waitFor();
  // A day that is only typed is saved too.
  await page.getByLabel('First day without sessions').fill('2030-02-04');
  await save(page);
  await page.getByRole('button', { name: 'Remove Mon, 4 Feb 2030' }).waitFor();
  await page.getByText('One thing before you can publish').waitFor({ state: 'detached' });

  await tab(page, 'Page');
  const address = await page.getByRole('textbox', { name: 'Registration page' }).inputValue();
  expect(address).toMatch(/^http:\/\/localhost:\d+\/w\/product-launch-[a-z0-9]{6}$/);
  expect(await page.getByLabel('HTML of the form').textContent()).toContain(`src="${address}/embed"`);
  await page.getByRole('button', { name: 'Add a presenter' }).click();
  await page.getByRole('button', { name: 'Remove: Presenter 1' }).click();
  await page.getByRole('button', { name: 'Add a presenter' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Role or company').fill('Admiral');
  await page.getByLabel('What attendees will learn').fill('To begin\n\nTo end');
  await save(page);
  await page.getByText('Must not be blank.').waitFor();
  await page.getByLabel('Name', { exact: true }).first().fill('Grace Hopper');
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Label', { exact: true }).fill('Company size');
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('company_size');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'One of several options' }).click();
  await page.getByRole('textbox', { name: 'Options' }).fill('1 to 9\n\n10 or more');
  await page.getByTestId('form-preview').getByText('Company size (optional)').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Save or discard your changes first.').waitFor();
  await save(page);
  await saved(page);

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const notice = page.getByRole('status').filter({ hasText: '“Product launch” is published.' });
  expect(await notice.getByRole('link').getAttribute('href')).toBe(address);
  await notice.getByRole('button', { name: 'Copy address' }).waitFor();
  const link = page.getByRole('link', { name: 'Registration page' });
  expect(await link.getAttribute('href')).toBe(address);
  const webinar = await readWebinar(service, account, page);
  expect(webinar).toMatchObject({
    status: 'published',
    publicTitle: 'See what is new',
    durationSeconds: 2700,
    // A visit of a second is not attendance.
    attendance: { minSeconds: 60 },
    video: { source: 'url', url: 'https://example.com/launch.mp4' },
    registrationForm: {
      fields: [{ key: 'company_size', type: 'select', options: ['1 to 9', '10 or more'] }],
    },
    registrationPage: {
      presenters: [{ name: 'Grace Hopper', title: 'Admiral', imageUrl: null }],
      takeaways: ['To begin', 'To end'],
    },
  });
  expect(webinar.schedule.recurrences).toMatchObject([{ frequency: 'weekly', daysOfWeek: null }]);
});

test('unsaved changes stay until the person chooses to leave without them', async ({
  service,
  account,
  page,
}) => {
  await createTestWebinar(service, account.accountId);
  await signIn(page, service, account);
  await page.getByRole('button', { name: 'Create webinar' }).click();
  const newTitle = page.getByLabel('Title', { exact: true });
  await newTitle.fill('Typed and not saved');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await newTitle.inputValue()).toBe('Typed and not saved');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await newTitle.waitFor({ state: 'detached' });

  await page.getByText('Launch').first().click();
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('Typed and not saved');
  await tab(page, 'Schedule');
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await title.inputValue()).toBe('Typed and not saved');
  await tab(page, 'Schedule');
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('button', { name: 'Add a date' }).waitFor();
  await tab(page, 'Details');
  expect(await title.inputValue()).toBe('Launch');
});

test('of two people who edit one webinar the second sees both edits, chooses for each field, and loses nothing', async ({
  service,
  account,
  browser,
}) => {
  await createTestWebinar(service, account.accountId);
  const mine = await (await browser.newContext()).newPage();
  await signIn(mine, service, account);
  await mine.getByText('Launch').first().click();
  await mine.getByLabel('Title', { exact: true }).waitFor();
  const theirs = await (
    await browser.newContext({ storageState: await mine.context().storageState() })
  ).newPage();
  await theirs.goto(mine.url());

  await mine.getByLabel('Title', { exact: true }).fill('My title');
  await mine.getByLabel('Poster image URL').fill('https://example.com/poster.jpg');
  await mine.getByLabel('Video URL').fill('https://example.com/video.mp4');
  await theirs.getByLabel('Title', { exact: true }).fill('Their title');
  await theirs.getByLabel('Public title').fill('Their public title');
  await save(theirs);
  await saved(theirs);
  await save(mine);
  const dialog = mine.getByRole('dialog');
  await dialog.getByText('They changed it to “Their public title”').waitFor();
  await dialog.getByText('You changed it to “https://example.com/video.mp4”').waitFor();
  await dialog.getByLabel('Keep mine: “My title”').waitFor();
  await dialog.getByLabel('Take theirs: “Their title”').check();
  await dialog.getByLabel('Keep mine: “My title”').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await saved(mine);
  expect(await readWebinar(service, account, mine)).toMatchObject({
    title: 'My title',
    publicTitle: 'Their public title',
    video: { url: 'https://example.com/video.mp4', posterUrl: 'https://example.com/poster.jpg' },
  });

  await theirs.reload();
  await theirs.getByLabel('Title', { exact: true }).fill('Their second title');
  await mine.getByLabel('Title', { exact: true }).fill('My second title');
  await save(mine);
  await saved(mine);
  await save(theirs);
  await theirs.getByRole('button', { name: 'Discard all of mine' }).click();
  await expect.poll(() => theirs.getByLabel('Title', { exact: true }).inputValue()).toBe('My second title');
  await theirs.getByText('No unsaved changes').waitFor();
});

test('webinars are found, duplicated, archived and deleted in the list, archiving says what stops, and an archived webinar is read and restored', async ({
  service,
  account,
  page,
}) => {
  const { sessionTime, id } = await createTestWebinar(service, account.accountId);
  const { key } = await createTestKey(service, account.accountId);
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime };
  await callRest(service, `POST /webinars/${id}/registrations`, { key, body: person });
  await callRest(service, 'POST /webinars', { key, body: { title: 'Other', kind: 'adaptive' } });
  await signIn(page, service, account);
  const rows = page.locator('tbody tr');

  await page.getByLabel('Title contains').fill('laun');
  await expect.poll(() => rows.count()).toBe(1);
  expect(page.url()).toContain('q=laun');
  await page.getByLabel('Clear the search').click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Adaptive' }).click();
  await page.getByRole('button', { name: 'More about Other' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete webinar' });
  expect(await remove.isDisabled()).toBe(true);
  await page.getByLabel('Type the title to confirm').fill('Other');
  await remove.click();
  await page.getByText('No webinar matches').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();

  await page.getByRole('button', { name: 'More about Launch' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Launch (copy)' }).waitFor();
  await page.getByRole('link', { name: 'Webinars' }).first().click();
  await page.getByRole('button', { name: 'More about Launch', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('1 session that has not ended is cancelled, with 1 registration.').waitFor();
  await page.getByRole('button', { name: 'Archive webinar' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.innerText()).toContain('Launch (copy)');

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Archived' }).click();
  await page.getByRole('link', { name: 'Launch', exact: true }).click();
  await page.getByText('This webinar is archived and read only.').waitFor();
  await expect
    .poll(() => page.getByRole('tab').allInnerTexts())
    .toEqual(['Overview', 'Sessions', 'Registrations', 'Results']);
  await page.getByRole('tab', { name: 'Registrations' }).click();
  await page.getByRole('button', { name: 'Ada', exact: true }).click();
  await page.getByRole('dialog').getByText('ada@example.com').first().waitFor();
  const changes = /Cancel registration|New join link|Register attendee/;
  expect(await page.getByRole('button', { name: changes }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByRole('button', { name: 'Restore as a draft' }).click();
  await page.getByRole('button', { name: 'Publish' }).waitFor();
  await expect.poll(() => page.url()).toContain('/registrations');
});
