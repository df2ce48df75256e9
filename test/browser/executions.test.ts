import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld } from '../support/world.ts';
import { openAutomations, openTab, ruleItem } from './webhook-world.ts';

test('after a real click in the room, the executions and the rule say why it did not fire', async ({
  page,
}) => {
  await using world = await createWorld();
  const offerId = await world.interaction({
    type: 'offer',
    internalName: 'Discount',
    url: 'https://example.com/',
    buttonLabel: 'Buy',
  });
  const conditions = [
    { field: 'watchedPercent', operator: 'gte', value: 50 },
    { field: 'utm.source', operator: 'eq', value: 'google' },
  ];
  const trigger = { type: 'cta_click', params: { interactionId: offerId } };
  await world.rule('http://127.0.0.1:9/', { name: 'Warm leads', trigger, conditions });
  const ada = await world.attend('ada@example.com', { utm: { source: 'google' } });
  await world.register('grace@example.com');
  world.startSession();
  await ada.visit();
  await ada.watch(60);
  expect((await ada.click(offerId)).status).toBe(201);

  await signIn(page, world.service, world);
  await openAutomations(page);
  await page.getByText('Executions', { exact: true }).click();
  const table = page.getByRole('region', { name: 'Executions' });
  const row = table.getByRole('row', { name: /Warm leads/ });
  await row.getByText('Condition not met').waitFor();
  await row.getByText('ada@example.com').waitFor();
  await row.getByRole('button', { name: 'Warm leads' }).click();
  const results = table.getByRole('list', { name: 'Conditions' }).getByRole('listitem');
  await expect.poll(() => results.count()).toBe(2);
  await results.first().getByText('they watched at least 50 % of the video').waitFor();
  await results.first().getByText('At that time: 10').waitFor();
  await results.last().getByText('At that time: “google”').waitFor();
  // The filters are in the address, so a reload keeps them.
  await page.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'Already fired' }).click();
  await page.getByText('No execution matches').waitFor();
  await page.reload();
  await page.getByText('No execution matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await row.waitFor();

  await page.getByText('Rules', { exact: true }).first().click();
  await ruleItem(page, 'Warm leads').getByRole('button', { name: 'Warm leads', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Rule', exact: true });
  const ask = async (name: string) => {
    await drawer.getByRole('combobox', { name: 'Attendee' }).fill(name);
    await page.getByRole('option', { name: new RegExp(name) }).click();
  };
  await ask('ada@example.com');
  const answer = drawer.getByRole('status', { name: 'Answer' });
  await answer.getByText('It did not fire for ada, because a condition was not met.').waitFor();
  await ask('grace@example.com');
  await answer.getByText('The event has not happened for grace yet.').waitFor();
});

test('a registration says which rule fired for this person, and why another one did not', async ({
  page,
}) => {
  await using world = await createWorld();
  await world.rule('http://127.0.0.1:9/', { name: 'Everybody' });
  const conditions = [{ field: 'utm.source', operator: 'eq', value: 'google' }];
  await world.rule('http://127.0.0.1:9/', { name: 'From a search', conditions });
  await world.register('ada@example.com');
  await signIn(page, world.service, world);
  await openTab(page, 'Registrations');
  await page.getByRole('button', { name: 'ada', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Registration' });
  const ask = async (rule: string) => {
    await drawer.getByRole('combobox', { name: 'Rule' }).click();
    await page.getByRole('option', { name: rule }).click();
  };
  const answer = drawer.getByRole('status', { name: 'Answer' });
  await ask('From a search');
  await answer.getByText('It did not fire for ada, because a condition was not met.').waitFor();
  await answer.getByText('utm_source').first().waitFor();
  await ask('Everybody');
  await answer.getByText('It fired for ada.').waitFor();
});
