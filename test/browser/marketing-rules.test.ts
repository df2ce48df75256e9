// Marketing tools outside of their settings: the bar about a refused key, rules that update contacts, and the history of a person.
import { credentialOf } from '@service/marketing-providers/testing';
import { expect } from 'vitest';
import { createContactsWorld } from '../contacts/contacts-world.ts';
import { findAxeProblems } from '../support/axe.ts';
import { test } from '../support/browser-test.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signIn } from '../support/sign-in.ts';
import { choose, openAutomations, openTab } from './webhook-world.ts';

test('a red bar is on every page while the key of a tool is refused, and goes when the key is replaced', async ({
  page,
}) => {
  await using contacts = await createContactsWorld();
  const { world, fake, connectionId } = contacts;
  await signIn(page, world.service, world);
  await page.getByRole('link', { name: 'Launch' }).first().waitFor();
  const bar = page.getByRole('alert').filter({ hasText: 'refuses the stored key' });
  expect(await bar.count()).toBe(0);
  fake.key = undefined;
  await world.register('ada@example.com');
  await world.register('bob@example.com');
  await contacts.send();
  await bar.getByText('2 people wait for a new key, for 30 days at most.').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findAxeProblems(page)).toEqual([]);
  await world.register('eve@example.com');
  await bar.getByText('3 people wait for a new key').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(await bar.getByRole('link', { name: 'Replace the key' }).getAttribute('href')).toBe(
    `/w/${world.accountId}/settings/marketing-tools/${connectionId}`,
  );
  // The page of the connection says it once, beside its buttons.
  await bar.getByRole('link', { name: 'Replace the key' }).click();
  await page.getByRole('button', { name: 'Replace key' }).waitFor();
  await expect.poll(() => bar.count()).toBe(1);
  await page.goBack();
  const credential = credentialOf('klaviyo');
  fake.key = credential['key'];
  const owner = await openDashboard(world.service, world);
  const { baseUrl } = fake;
  await owner.mutate('connections.replaceCredential', { connectionId, credential, baseUrl });
  await bar.waitFor({ state: 'detached' });
});

test('a rule that updates contacts is made in the form, and its execution and the person show what was sent', async ({
  page,
}) => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { enabled: false } });
  const { world, fake } = contacts;
  fake.tags.add('customer');
  await signIn(page, world.service, world);
  await openAutomations(page);
  await page.getByRole('button', { name: 'Create rule' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create rule' });
  await form.getByLabel('Rule name').fill('To Mailchimp');
  await form.getByRole('button', { name: 'Add marketing tool' }).click();
  await form.getByRole('button', { name: 'Remove Webhook' }).click();
  const action = form.getByRole('group', { name: 'Marketing tool', exact: true });
  await expect
    .poll(() => action.getByRole('combobox', { name: 'Connection' }).inputValue())
    .toBe('mailchimp');
  await form.getByRole('button', { name: 'Save rule' }).click();
  await action.getByText('Give a field, a tag, a list or an event.').waitFor();

  await action.getByRole('button', { name: 'Set an audience field' }).click();
  await choose(page, 'Field 1: value', 'First name');
  await choose(page, 'Field 1: audience field', 'FNAME (text)');
  await action.getByRole('button', { name: 'Set an audience field' }).click();
  await choose(page, 'Field 2: value', 'A fixed value');
  await choose(page, 'Field 2: audience field', 'LASTWEB (text)');
  await form.getByRole('button', { name: 'Save rule' }).click();
  await action.getByText('Give a value.').waitFor();
  await action.getByLabel('Field 2: fixed value').fill('Spring');
  await action.getByRole('combobox', { name: 'Add tags' }).fill('customer');
  await page.keyboard.press('Enter');
  await choose(page, 'Add to groups', 'Interests: Webinars');
  await action.getByLabel('Record an event').fill('no');
  await action.getByLabel('Record an event').fill('webinar_attended');
  await form
    .getByText(
      'update the contact in mailchimp (set 2 fields, add the tag “customer”, add to 1 list and record “webinar_attended”)',
    )
    .waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save rule' }).click();
  const drawer = page.getByRole('dialog', { name: 'Rule', exact: true });
  await drawer.getByRole('heading', { name: 'Contact in mailchimp' }).waitFor();

  await world.register('ada@example.com', { name: 'Ada Lovelace', consent: { given: true } });
  await contacts.send();
  expect(fake.contacts.get('ada@example.com')).toMatchObject({
    fields: { FNAME: 'Ada', LASTWEB: 'Spring' },
    tags: new Set(['customer']),
    lists: new Set(['ia1']),
  });
  await drawer.getByRole('link', { name: 'Executions' }).click();
  const executions = page.getByRole('region', { name: 'Executions' });
  await executions.getByRole('button', { name: 'To Mailchimp' }).click();
  const sends = page.getByRole('list', { name: 'Sends to marketing tools' });
  await sends.getByText('Sent').waitFor();
  await sends.getByText('mailchimp').click();
  await sends.getByText('"LASTWEB": "Spring"').waitFor();

  await page.getByRole('tab', { name: 'Registrations' }).click();
  await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).click();
  const person = page.getByRole('dialog', { name: 'Registration' });
  await person.getByRole('region', { name: 'Marketing tools' }).getByText('mailchimp').waitFor();
});

test('another connection in a rule keeps what exists there too, and names what is left out', async ({
  page,
}) => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp' });
  const { world } = contacts;
  await using _other = await createContactsWorld({ tool: 'klaviyo', world });
  await signIn(page, world.service, world);
  await openAutomations(page);
  await page.getByRole('button', { name: 'Create rule' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create rule' });
  await form.getByRole('button', { name: 'Add marketing tool' }).click();
  const action = form.getByRole('group', { name: 'Marketing tool', exact: true });
  await choose(page, 'Connection', 'mailchimp');
  await action.getByRole('combobox', { name: 'Add tags' }).fill('customer');
  await page.keyboard.press('Enter');
  await action.getByLabel('Record an event').fill('attended');
  await choose(page, 'Connection', 'klaviyo');
  await action
    .getByText('These could not be found at klaviyo, so they were removed from the action: tag “customer”.')
    .waitFor();
  await expect.poll(() => action.getByLabel('Record an event').inputValue()).toBe('attended');
});

test('nothing is saved or removed while an action moves, and a tool that does not answer gets what needs no catalogue', async ({
  page,
}) => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp' });
  const { world, connectionId } = contacts;
  await using other = await createContactsWorld({ tool: 'klaviyo', world });
  other.fake.key = undefined;
  await world.create('/automations', {
    name: 'Move me',
    trigger: { type: 'registered' },
    actions: [
      {
        type: 'integration',
        connectionId,
        fields: [{ key: 'FNAME', from: 'first_name' }],
        lists: { add: ['ia1'] },
        event: { name: 'attended' },
      },
      { type: 'webhook', url: other.fake.baseUrl },
    ],
  });
  await signIn(page, world.service, world);
  await openAutomations(page);
  await page.getByRole('button', { name: 'Move me', exact: true }).click();
  await page.getByRole('dialog', { name: 'Rule', exact: true }).getByRole('link', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: 'Change rule' });
  const action = form.getByRole('group', { name: 'Marketing tool', exact: true });
  await action.getByText('Interests: Webinars').waitFor();
  const released = Promise.withResolvers<void>();
  await page.route('**/connections.catalogue**', async (route) => {
    await released.promise;
    await route.continue();
  });
  await choose(page, 'Connection', 'klaviyo');
  const select = action.getByRole('combobox', { name: 'Connection' });
  await select.and(page.locator('[aria-busy=true]:focus')).waitFor();
  for (const name of ['Save rule', 'Remove Webhook', 'Remove Marketing tool'])
    expect(await form.getByRole('button', { name }).isDisabled()).toBe(true);
  released.resolve();
  await action
    .getByRole('status')
    .getByText('removed from the action: field “FNAME”, list “Interests: Webinars”.')
    .waitFor();
  expect(await select.inputValue()).toBe('klaviyo');
  expect(await action.getByLabel('Record an event').inputValue()).toBe('attended');
  expect(await form.getByRole('button', { name: 'Save rule' }).isEnabled()).toBe(true);
});

test('an owner leaves a webinar out of a tool on its page, and a workspace without a tool is led to Settings', async ({
  page,
}) => {
  await using contacts = await createContactsWorld();
  const { world } = contacts;
  await signIn(page, world.service, world);
  await openAutomations(page);
  const item = page.getByRole('list', { name: 'Marketing tools' }).getByRole('listitem');
  await item.getByText('Every registrant is kept in step').waitFor();
  await item.getByRole('switch', { name: 'Send the registrants of this webinar to klaviyo' }).press('Space');
  await item.getByText('This webinar is left out.').waitFor();
  await world.register();
  expect(await contacts.changes()).toEqual([]);
  const neighbour = await world.neighbour();
  await page.context().clearCookies();
  await signIn(page, neighbour.service, neighbour);
  await openTab(page, 'Automations');
  await page.getByRole('link', { name: 'Settings of marketing tools' }).waitFor();
  await page.getByText('No marketing tool is connected').waitFor();
});
