import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';

test('the rule form has every trigger of the catalogue, and the fields of the chosen one', async () => {
  await using service = await testApi();
  await using receiver = await startReceiver();
  const world = await createTestWorld(service);
  const path = `/webinars/${world.webinar.id}`;
  const call = async (route: string, body?: unknown) =>
    (await callRest(service, route.replace(' .', ` ${path}`), { key: world.key, body })).json.data;
  const common = { showAtSeconds: 5, url: 'https://example.com/' };
  const names = { internalName: 'Slides', headline: 'The slides' };
  const handout = await call('POST ./handouts', { ...common, ...names, fileName: 'slides.pdf' });
  await call('POST ./offers', { ...common, internalName: 'Discount', headline: 'Now', buttonLabel: 'Buy' });
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, world);
  await page.getByText('Launch').first().click();
  await page.getByRole('tab', { name: 'Automations' }).click();
  await page.getByRole('button', { name: 'Create rule' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create webhook rule' });
  await dialog.getByLabel('Rule name').fill('Downloads');
  await dialog.getByLabel('Destination URL').fill(receiver.url);

  const trigger = dialog.getByRole('combobox', { name: 'When' });
  await trigger.click();
  const types = await call('GET /event-types');
  await page.getByRole('option', { name: 'An attendee downloads a handout' }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(types.length);
  await page.getByRole('option', { name: 'Watch time reaches some minutes' }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  // The service names the missing param, and the form shows it at the field.
  await dialog.getByText('Invalid input').waitFor();
  await dialog.getByLabel('Minutes').fill('5');

  await trigger.click();
  await page.getByRole('option', { name: 'An attendee downloads a handout' }).click();
  await dialog.getByRole('combobox', { name: 'Handout' }).click();
  // The list of triggers is still closing, and the handouts may still be loading.
  await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Slides']);
  await page.getByRole('option', { name: 'Slides' }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('switch', { name: 'Downloads enabled' }).waitFor();
  const [rule] = await call('GET ./automations');
  expect(rule.trigger).toEqual({ type: 'handout_download', params: { interactionId: handout.id } });
  await page.getByRole('dialog').getByText('An attendee downloads a handout', { exact: true }).waitFor();
});
