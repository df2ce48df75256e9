import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { arrowTo, tabTo, typeInto } from '../support/keyboard.ts';
import type { World } from '../support/world.ts';
import { createInteractionWorld, cta, openInteractions } from './interactions-world.ts';

let world: World;
let browser: TestBrowser;
beforeAll(async () => {
  world = await createInteractionWorld();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Chooses a type in the menu of new interactions and waits for its panel. */
async function add(page: Page, type: 'offer' | 'CTA' | 'poll' | 'handout') {
  await tabTo(page, page.getByRole('button', { name: 'Add interaction' }));
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: new RegExp(`^${type}`, 'i') });
  await arrowTo(page, item);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: `New ${type}` });
  await panel.getByText('Preview').waitFor();
  return panel;
}

test('each type of interaction is made by keyboard only', async () => {
  const { page, stored } = await openInteractions(world, browser);
  await page.getByText('No interactions yet').waitFor();

  const offer = await add(page, 'offer');
  await typeInto(page, offer.getByLabel('Name', { exact: true }), 'Launch discount');
  await typeInto(page, offer.getByLabel('Headline'), '20 % off');
  await typeInto(page, offer.getByLabel('Button', { exact: true }), 'Get it');
  await typeInto(page, offer.getByLabel('Opens this URL'), 'https://shop.example/checkout');
  await typeInto(page, offer.getByLabel('Price'), '79');
  await tabTo(page, offer.getByRole('combobox', { name: 'Currency' }));
  await page.keyboard.type('EUR');
  await page.getByRole('option', { name: 'EUR' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await offer.frameLocator('iframe').getByText('€79.00').first().waitFor();
  await typeInto(page, offer.getByLabel('Appears at', { exact: true }), '30:00');
  await typeInto(page, offer.getByLabel('Disappears at'), '2400');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: '30:00 to 40:00' }).waitFor();

  const poll = await add(page, 'poll');
  await typeInto(page, poll.getByLabel('Name', { exact: true }), 'Team size');
  await typeInto(page, poll.getByLabel('Question'), 'How large is your team?');
  await typeInto(page, poll.getByLabel('Answer 1', { exact: true }), 'Large');
  await typeInto(page, poll.getByLabel('Answer 2', { exact: true }), 'Small');
  await tabTo(page, poll.getByRole('button', { name: 'Add answer' }));
  await page.keyboard.press('Enter');
  await poll.getByLabel('Answer 3', { exact: true }).waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  // The third answer is still empty, so the form stays and goes to it.
  await tabTo(page, poll.getByRole('button', { name: 'Create' }));
  await page.keyboard.press('Enter');
  await expect
    .poll(() => poll.getByLabel('Answer 3', { exact: true }).evaluate((field) => field.matches(':focus')))
    .toBe(true);
  await page.keyboard.type('Alone');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Team size', exact: true }).waitFor();

  const call = await add(page, 'CTA');
  await typeInto(page, call.getByLabel('Name', { exact: true }), 'Book a call');
  await typeInto(page, call.getByLabel('Headline'), 'Questions?');
  await typeInto(page, call.getByLabel('Button', { exact: true }), 'Book');
  await typeInto(page, call.getByLabel('Opens this URL'), 'https://shop.example/call');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Book a call', exact: true }).waitFor();

  const handout = await add(page, 'handout');
  await typeInto(page, handout.getByLabel('Name', { exact: true }), 'Slides');
  await typeInto(page, handout.getByLabel('Headline'), 'The slides');
  await typeInto(page, handout.getByLabel('File URL'), 'https://shop.example/slides.pdf');
  await typeInto(page, handout.getByLabel('File name'), 'slides.pdf');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Slides', exact: true }).waitFor();

  expect((await stored()).toReversed()).toMatchObject([
    { type: 'offer', showAtSeconds: 1800, hideAtSeconds: 2400, priceMinor: 7900, currency: 'EUR' },
    { type: 'poll', options: [{ label: 'Large' }, { label: 'Small' }, { label: 'Alone' }] },
    { type: 'cta', buttonLabel: 'Book' },
    { type: 'handout', fileName: 'slides.pdf' },
  ]);
});

test('a bar is moved by arrow keys and by the pointer, and its end by its handle', async () => {
  const { own, page, open, stored } = await openInteractions(world, browser);
  await own.interaction({ ...cta, internalName: 'Buy now', showAtSeconds: 600, hideAtSeconds: 1200 });
  await open();
  const timesOf = async () => (await stored()).map((one) => [one.showAtSeconds, one.hideAtSeconds]);
  const until = (...times: unknown[]) =>
    eventually(
      `the times to be ${times.join(' to ')}`,
      async () => String(await timesOf()) === String(times),
    );
  const bar = page.getByRole('button', { name: /^CTA Buy now/ });
  await tabTo(page, bar);
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'ArrowLeft'])
    await page.keyboard.press(key);
  await page.getByRole('status').getByText('Buy now: 10:11 to 20:11').waitFor();
  await until(611, 1211);
  await page.keyboard.press('Home');
  await until(0, 600);

  const end = page.getByRole('button', { name: /^End of Buy now/ });
  await tabTo(page, end);
  await page.keyboard.press('Shift+ArrowLeft');
  await until(0, 590);
  await page.keyboard.press('End');
  await until(0, null);

  const box = (await bar.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 10, { steps: 5 });
  await page.mouse.up();
  const [moved] = await eventually('the bar to be moved', async () => {
    const now = await stored();
    return now[0]!.showAtSeconds > 0 && now;
  });
  expect(moved!.showAtSeconds).toBeGreaterThan(200);
  expect(moved!.hideAtSeconds).toBeNull();
  // A drag does not open the panel, a click does.
  expect(await page.getByRole('dialog').count()).toBe(0);
  await bar.click();
  await page.getByRole('dialog', { name: 'CTA' }).waitFor();
});

test('pop-ups at the same time are named in the list, until one of them moves', async () => {
  const { own, page, open } = await openInteractions(world, browser);
  await own.interaction({ ...cta, internalName: 'First', showAtSeconds: 600, hideAtSeconds: 900 });
  await own.interaction({ ...cta, internalName: 'Second', showAtSeconds: 800, hideAtSeconds: 1000 });
  await open();
  await page.getByText('From 13:20, attendees who get both see “Second” instead.').waitFor();
  await page.getByRole('button', { name: 'Second', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'CTA' });
  await panel.getByText('Attendees who get both see it instead of “First”.').waitFor();
  await panel.getByLabel('Disappears at').fill('');
  await panel.getByLabel('Appears at', { exact: true }).fill('soon');
  await panel.getByText('Write a time such as 1:30.').waitFor();
  await panel.getByLabel('Appears at', { exact: true }).fill('1:10:00');
  await panel.getByText('Must be before the end of the video, 1:00:00.').waitFor();
  await panel.getByLabel('Appears at', { exact: true }).fill('5');
  await panel.getByText('0:05, 5 seconds.').waitFor();
  await panel.getByLabel('Appears at', { exact: true }).fill('15:00');
  // A new condition has no message before the attempt to save, and its message ends with the choice.
  await panel.getByRole('button', { name: 'Add condition' }).click();
  await panel.getByLabel('Condition 1: field').waitFor();
  expect(await panel.getByText('Must not be blank.').count()).toBe(0);
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Choose a field.').waitFor();
  await panel.getByLabel('Condition 1: field').click();
  await page.getByRole('option', { name: 'Joined', exact: true }).click();
  await panel.getByText('Choose a field.').waitFor({ state: 'detached' });
  expect(await panel.locator('[aria-invalid="true"]').count()).toBe(0);
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'If they joined' }).waitFor();
  await page.getByRole('cell', { name: '15:00 to the end' }).waitFor();
  expect(await page.getByText('Attendees who get both').count()).toBe(0);
});

test('answers from the room are bars and names in the results, and deleting says how many there are', async () => {
  const { own, page, open, stored } = await openInteractions(world, browser);
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const poll = await own.interaction({ type: 'poll', options, internalName: 'Team size' });
  const people = await Promise.all(['ada', 'bob', 'eve'].map((name) => own.attend(`${name}@poll.example`)));
  own.startSession();
  for (const [index, person] of people.entries()) {
    await person.visit();
    await person.view(poll);
    await person.answer(poll, index === 0 ? 'no' : 'yes');
  }
  await open();
  await page.getByRole('cell', { name: '3 answers' }).waitFor();
  await page.getByRole('button', { name: 'More about Team size' }).click();
  await page.getByRole('menuitem', { name: 'Results' }).click();
  const panel = page.getByRole('dialog', { name: 'Poll' });
  const bars = panel.getByRole('list', { name: 'Answers by option' });
  await bars.getByText('2 (67 %)').waitFor();
  await bars.getByText('1 (33 %)').waitFor();
  await panel.getByRole('row', { name: /ada@poll\.example.*No/ }).waitFor();
  // The address opens the results again.
  await page.reload();
  await bars.getByText('2 (67 %)').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'More about Team size' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete poll “Team size”' });
  await question.getByText('Its 3 answers stay').waitFor();
  await question.getByRole('button', { name: 'Delete poll' }).click();
  await page.getByText('No interactions yet').waitFor();
  expect(await stored()).toEqual([]);
});

test('a copy has answers of its own, and 200 interactions with long names fit a phone', async () => {
  const { own, page, open, stored } = await openInteractions(world, browser);
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  await own.interaction({ type: 'poll', options, internalName: 'Unbroken'.repeat(12) });
  await open();
  await page.getByRole('button', { name: /^More about Unbroken/ }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  const [copy, original] = await eventually('two polls', async () => {
    const polls = await stored();
    return polls.length === 2 && (polls as unknown as { options: { id: string; label: string }[] }[]);
  });
  expect(copy!.options.map(({ label }) => label)).toEqual(['Yes', 'No']);
  expect(original!.options.map(({ id }) => id)).toEqual(['yes', 'no']);
  expect(copy!.options.map(({ id }) => id)).not.toContain('yes');

  const numbers = Array.from({ length: 198 }, (_, index) => index);
  await Promise.all(
    numbers.map((n) =>
      own.interaction({ ...cta, showAtSeconds: (n * 97) % 3600, internalName: `Number ${n}` }),
    ),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await open();
  const add = page.getByRole('button', { name: 'Add interaction' });
  await expect.poll(() => add.getAttribute('aria-disabled'), { timeout: 20_000 }).toBe('true');
  await add.focus();
  await page.getByText('A webinar has at most 200 interactions. Delete one first.').waitFor();
  expect(await page.locator('[data-bar]').count()).toBe(200);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
