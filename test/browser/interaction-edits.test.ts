// Changes of interactions that another person, a closed panel or an ended sign-in session could overwrite or lose.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type TestBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
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

test('a bar that another person changed during the drag keeps their fields, and asks if they moved it too', async () => {
  const { own, page, open, stored } = await openInteractions(world, browser);
  const id = await own.interaction({
    ...cta,
    internalName: 'Buy now',
    showAtSeconds: 600,
    hideAtSeconds: 1200,
  });
  await open();
  const bar = page.getByRole('button', { name: /^CTA Buy now/ });
  const dragDuring = async (change: object) => {
    const box = (await bar.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 10, { steps: 3 });
    await own.call(`PATCH /interactions/${id}`, change);
    await page.mouse.move(box.x + 120, box.y + 10, { steps: 3 });
    await page.mouse.up();
  };
  await dragDuring({ headline: 'Theirs' });
  await eventually('the bar to be moved', async () => (await stored())[0]!.showAtSeconds > 600);
  expect((await own.call(`GET /interactions/${id}`)).json.data.headline).toBe('Theirs');
  const [before] = await stored();

  await dragDuring({ showAtSeconds: 30, hideAtSeconds: 90 });
  const question = page.getByRole('dialog', { name: 'This was changed in the meantime' });
  await question.getByRole('radio', { name: 'Take theirs: 0:30' }).waitFor();
  expect((await stored())[0]).toMatchObject({ showAtSeconds: 30, hideAtSeconds: 90 });
  await question.getByRole('button', { name: 'Save' }).click();
  await eventually('the own move', async () => (await stored())[0]!.showAtSeconds > before!.showAtSeconds);
  const start = (await stored())[0]!.showAtSeconds;
  const position = `${Math.floor(start / 60)}:${String(start % 60).padStart(2, '0')}`;
  await page.getByRole('button', { name: `CTA Buy now, ${position} to` }).waitFor();

  await dragDuring({ showAtSeconds: 45, hideAtSeconds: 95 });
  await question.getByRole('button', { name: 'Discard all of mine' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'CTA Buy now, 0:45 to 1:35' }).waitFor();
  expect((await stored())[0]).toMatchObject({ showAtSeconds: 45, hideAtSeconds: 95 });
});

test('unsaved changes of a panel are not lost without a question', async () => {
  const { own, page, open } = await openInteractions(world, browser);
  const id = await own.interaction({ ...cta, internalName: 'Buy now' });
  await open();
  await page.getByRole('button', { name: 'Buy now', exact: true }).click();
  const headline = page.getByLabel('Headline');
  await headline.fill('Changed');
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await headline.inputValue()).toBe('Changed');
  await page.goBack();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await headline.waitFor({ state: 'hidden' });
  expect((await own.call(`GET /interactions/${id}`)).json.data.headline).toBe('Headline');
});

test('a form that was kept while the sign-in session had ended asks about what another person changed in between', async () => {
  const { own, page, open } = await openInteractions(world, browser);
  const id = await own.interaction({ ...cta, internalName: 'Buy now', headline: 'First' });
  await open();
  await page.getByRole('button', { name: 'Buy now', exact: true }).click();
  await page.getByLabel('Headline').fill('Mine');
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
  await world.service.api.service.database.pool.query('delete from accounts.session where "userId" = $1', [
    world.userId,
  ]);
  await page.getByText('what you typed is kept').waitFor();
  await own.call(`PATCH /interactions/${id}`, { headline: 'Theirs', buttonLabel: 'Order' });
  await page.getByLabel(/^E-?mail$/).fill(world.email);
  await page.getByLabel('Password', { exact: true }).fill(world.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Headline').inputValue(), { timeout: 20_000 }).toBe('Mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'This was changed in the meantime' });
  await question.getByText(/\(API\) saved the other change on/).waitFor();
  await question.getByText('They changed it to “Order”').waitFor();
  await question.getByRole('radio', { name: 'Keep mine: “Mine”' }).waitFor();
  await question.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Headline').waitFor({ state: 'hidden' });
  expect((await own.call(`GET /interactions/${id}`)).json.data).toMatchObject({
    headline: 'Mine',
    buttonLabel: 'Order',
  });
});
