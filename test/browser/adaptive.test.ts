import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { tabTo, typeInto } from '../support/keyboard.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld, type World } from '../support/world.ts';
import { adaptiveIn, createAdaptive, createFork, type AdaptiveWorld } from '../webinars/adaptive-world.ts';

let service: TestApi;
let world: AdaptiveWorld;
let browser: TestBrowser;
beforeAll(async () => {
  service = await testApi();
  world = await createAdaptive(service);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function openTab(webinarId: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await signIn(page, service, world, `/w/${world.accountId}/webinars/${webinarId}/adaptive`);
  return page;
}

const labelsOf = async ({ call }: World): Promise<string[]> =>
  (await call('GET /branches?limit=100')).json.data.map(({ label }: { label: string }) => label).toSorted();

test('a webinar becomes adaptive, and its graph is made and its problems are repaired by keyboard only', async () => {
  const draft = await createWorld({ beside: { service }, workspace: world, publish: false });
  const page = await openTab(draft.webinar.id);
  await tabTo(page, page.getByRole('button', { name: 'Make it adaptive' }));
  await page.keyboard.press('Enter');
  const addSegment = page.getByRole('button', { name: 'Add segment' });

  const segment = async (title: string, length: string) => {
    await tabTo(page, addSegment);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'New segment' });
    await typeInto(page, panel.getByLabel('Title'), title);
    await typeInto(page, panel.getByLabel('Length'), length);
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'hidden' });
  };
  await segment('Welcome', '5:00');
  await segment('Prices', '90');
  await page.getByText('3 things before you can publish').waitFor();
  const list = page.getByRole('list', { name: 'Segments and their branches' });
  await list.getByText('The segment "Welcome" has no default branch.').waitFor();
  await list.getByText('No path leads from the entry to the segment "Prices".').waitFor();

  await tabTo(page, page.getByRole('button', { name: 'Add branch from Welcome' }));
  await page.keyboard.press('Enter');
  const branch = page.getByRole('dialog', { name: 'New branch' });
  await typeInto(page, branch.getByLabel('Name'), 'On');
  await tabTo(page, branch.getByRole('combobox', { name: 'Leads to' }));
  await page.keyboard.type('Pri');
  await page.getByRole('option', { name: 'Prices' }).waitFor();
  await page.keyboard.press('Enter');
  // The first branch of a segment is its default.
  expect(await branch.getByRole('radio', { name: 'Default' }).isChecked()).toBe(true);
  await tabTo(page, branch.getByRole('button', { name: 'Create branch' }));
  await page.keyboard.press('Enter');
  await page.getByText('One thing before you can publish').waitFor();

  const graph = page.getByRole('group', { name: /^Graph of the segments/ });
  await tabTo(page, graph.getByRole('button', { name: /^Welcome/ }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const prices = page.getByRole('dialog', { name: 'Edit segment' });
  expect(await prices.getByLabel('Title').inputValue()).toBe('Prices');
  await tabTo(page, prices.getByLabel('The webinar ends with this segment'));
  await page.keyboard.press('Space');
  await tabTo(page, prices.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await page.getByText('before you can publish').waitFor({ state: 'hidden' });

  const { json } = await draft.call('GET /segments');
  expect(json.data.toReversed()).toMatchObject([
    { title: 'Welcome', durationSeconds: 300, isEntry: true, isTerminal: false },
    { title: 'Prices', durationSeconds: 90, isEntry: false, isTerminal: true },
  ]);
  expect((await draft.call('POST /publish')).status).toBe(200);
});

test('a condition branch is a sentence, and branches change their order', async () => {
  const draft = await adaptiveIn(service, world);
  const ids = await createFork(draft);
  const page = await openTab(draft.webinarId);
  await page.getByRole('button', { name: 'intro>long', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Edit branch' });
  expect(await panel.getByLabel('Question').inputValue()).toBe('More?');
  await panel.getByLabel('Offered from').fill('6:00');
  await panel.getByText('Must be before the end of its segment, 5:00.').waitFor();
  await panel.getByRole('radio', { name: 'Condition' }).check();
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('A condition branch needs at least one condition.').waitFor();
  await panel.getByRole('button', { name: 'Add condition' }).click();
  await panel.getByRole('combobox').nth(2).click();
  await page.getByRole('option', { name: 'Watched percent' }).click();
  await panel.getByRole('group', { name: 'Condition 1' }).getByRole('textbox').last().fill('50');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^If .*50 %/).waitFor();
  expect((await draft.call(`GET /branches/${ids['intro>long']}`)).json.data).toMatchObject({
    via: 'condition',
    conditions: [{ field: 'watchedPercent', value: 50 }],
    promptText: null,
  });

  const orderOf = () => page.getByRole('list', { name: 'Branches from Intro' }).locator('li').allInnerTexts();
  expect((await orderOf())[0]).toContain('intro>short');
  await page.getByRole('button', { name: 'Move intro>long up' }).click();
  await expect.poll(async () => (await orderOf())[0]).toContain('intro>long');
});

test('deleting a segment names the branches that go with it, and a published webinar refuses a dead end', async () => {
  const published = await adaptiveIn(service, world);
  await createFork(published);
  await published.publish();
  const page = await openTab(published.webinarId);
  const remove = async (title: string) => {
    await page.getByRole('button', { name: `More about ${title}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    return page.getByRole('dialog', { name: `Delete segment “${title}”` });
  };
  const short = await remove('Short');
  await short.getByText('2 branches are deleted with it:').waitFor();
  await short.getByRole('button', { name: 'Delete segment' }).click();
  await short.getByText('The segment "Intro" has no default branch.').waitFor();
  await short.getByRole('button', { name: 'Cancel' }).click();
  expect(await labelsOf(published)).toHaveLength(4);

  const long = await remove('Long');
  await long.getByText('intro>long: from Intro to Long').waitFor();
  await long.getByRole('button', { name: 'Delete segment' }).click();
  await long.waitFor({ state: 'hidden' });
  await eventually('two branches', async () => (await labelsOf(published)).length === 2);

  // Another first segment, in one change.
  await page.getByRole('button', { name: 'More about Short' }).click();
  await page.getByRole('menuitem', { name: 'Start with this segment' }).click();
  await page.getByText('One problem in segments that viewers cannot reach.').waitFor();
});

test('50 segments with long names fit a phone, and the limit is named', async () => {
  const full = await adaptiveIn(service, world);
  for (let index = 0; index < 50; index += 1)
    await full.create('/segments', {
      title: `${index} ${'Unbroken'.repeat(24)}`,
      durationSeconds: 60,
      isEntry: index === 0,
    });
  const page = await openTab(full.webinarId);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('50 of 50 segments').waitFor();
  const add = page.getByRole('button', { name: 'Add segment' });
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  expect(await page.locator('[data-segment]').count()).toBe(50);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
