import { expect } from 'vitest';
import { createAttributionWorld } from '../revenue/attribution-world.ts';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';

test('a new window of a webinar shows which purchases it moves before it is saved, and attributes them again afterwards', async ({
  page,
}) => {
  await using world = await createAttributionWorld();
  const { service, accountId, webinar } = world;
  await world.age(await world.register('ada@example.com'), 20);
  const id = await world.record('purchase', { amountMinor: 19_900 });
  await signIn(page, service, world, `/w/${accountId}/webinars/${webinar.id}`);
  const field = page.getByRole('combobox', { name: 'Attribution window' });
  await field.waitFor();
  await expect.poll(() => field.inputValue(), { timeout: 10_000 }).toBe('Workspace default (30 days)');
  await field.click();
  await page.getByRole('option', { name: '60 days' }).click();
  await page.getByText('No purchase would move.').waitFor();
  await field.click();
  await page.getByRole('option', { name: '7 days' }).click();
  await page.getByText(/If you save this, 1 purchase would move \(€199\.00\)/).waitFor();
  expect((await world.event(id)).credit.level).toBe('registered');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await world.finishRuns();
  expect((await world.event(id)).credit).toMatchObject({ level: 'unattributed', reason: 'outside_window' });
});
