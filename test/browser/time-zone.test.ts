import { expect } from 'vitest';
import { createSender } from '../revenue/sender.ts';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld } from '../support/world.ts';

test('after the time zone of the workspace was changed, reports have its days, and bars of weeks and months', async ({
  page,
}) => {
  await using world = await createWorld();
  const { service, accountId } = world;
  const sender = await createSender(service, world);
  // Half past eleven in the evening of UTC is the next day in Tokyo.
  const timestamp = `${new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)}T23:30:00Z`;
  await sender.send({ event_id: 'one', amount_minor: 4900, timestamp });
  await signIn(page, service, world, `/w/${accountId}/settings/workspace`);
  // The text of the present choice does not stay before the typed one.
  await page.getByRole('combobox', { name: 'Time zone of the workspace' }).click();
  await page.keyboard.type('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByLabel('Colour', { exact: true }).fill('#336699');
  await page.getByRole('link', { name: 'Members' }).first().click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.locator('section', { hasText: 'Branding' }).getByRole('button', { name: 'Save' }).click();
  const timeZone = page.locator('section', { hasText: 'Time zone' });
  await timeZone.getByRole('button', { name: 'Save' }).click();
  // While it is being saved, the button is disabled too, and a link would ask whether to leave without saving.
  await timeZone.locator('button:disabled:not([data-loading])').waitFor();

  await page.getByRole('link', { name: 'Revenue', exact: true }).first().click();
  await page.getByText('Days are in the time zone of the workspace, Asia/Tokyo.').waitFor();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  const chart = page.getByRole('region', { name: 'Net over time' });
  const row = chart.getByRole('row', { name: /€49.00/ });
  const day = new Date(Date.parse(timestamp) + 86_400_000).getUTCDate();
  expect(await row.innerText()).toMatch(new RegExp(`^${day} `));
  await page.getByRole('radiogroup', { name: 'Time of a bar' }).getByText('Months').click();
  await chart.getByRole('row', { name: /– .*€49.00/ }).waitFor();
});
