import { credentialOf, startFake } from '@service/marketing-providers/testing';
import { expect } from 'vitest';
import { allInStep, createContactsWorld } from '../contacts/contacts-world.ts';
import { eraseAll, requestErasure } from '../erasure/erasure-world.ts';
import { createTestMember } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { choose } from './webhook-world.ts';

test('from a pasted key to the first contact in Klaviyo, its preview, "send now" and the history', async ({
  page,
}) => {
  await using fake = await startFake('klaviyo');
  await using world = await createWorld();
  const { service, accountId } = world;
  await using _worker = await testWorker(service.db.url, { baseUrl: service.baseUrl });
  await signIn(page, service, world, `/w/${accountId}/settings/marketing-tools`);

  await page.getByText('No marketing tool is connected').waitFor();
  await page.getByRole('button', { name: 'Connect a tool' }).click();
  const form = page.getByRole('dialog', { name: 'Connect a marketing tool' });
  await form.getByText('Another API address').click();
  await form.getByLabel('API address', { exact: true }).fill(fake.baseUrl);
  const key = form.getByLabel('Private API key');
  await key.fill(`pk_${'0'.repeat(34)}`);
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await form.getByText('Missing or invalid authorization scheme').waitFor();
  await key.fill(credentialOf('klaviyo')['key']!);
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await form.getByText('Klaviyo has accepted the credential of Acme').waitFor();
  await form.getByText('Every registrant is kept in step: 6 fields').waitFor();

  await world.register('ada@example.com');
  const contact = await eventually('the contact', () => fake.contacts.get('ada@example.com'));
  expect(contact.fields).toMatchObject({ 'Last webinar': 'Launch', 'Webinar watched percent': 0 });

  await form.getByRole('button', { name: 'Open its settings' }).click();
  await page.getByRole('heading', { name: 'Klaviyo', level: 1 }).waitFor();
  const values = page.getByRole('list', { name: 'Values' });
  await values.getByText('ada: Launch').waitFor();
  await values.getByLabel('Last webinar: property at Klaviyo').fill('Newest webinar');
  await page.getByRole('option', { name: 'Newest webinar (new)' }).click();
  const preview = page.getByRole('list', { name: 'Preview' });
  await preview.getByText('ada@example.com', { exact: true }).click();
  const request = preview.getByLabel('Create or update profile for ada');
  await preview.getByText('"Newest webinar": "Launch"').waitFor();
  expect(await request.innerText()).toContain('authorization: Klaviyo-API-Key ***');
  const sendNow = preview.getByRole('button', { name: 'Send now' });
  expect(await sendNow.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await sendNow.click();
  await preview.getByText('The tool has accepted the change.').waitFor();
  expect(fake.contacts.get('ada@example.com')!.fields).toMatchObject({ 'Newest webinar': 'Launch' });

  await page.getByRole('tab', { name: 'Sent' }).click();
  const sent = page.getByRole('list', { name: 'Sent' });
  await sent.getByText('ada@example.com').first().click();
  await sent.getByText('"Newest webinar": "Launch"').waitFor();
  await page.getByRole('button', { name: 'Send everyone again', exact: true }).click();
  await page.getByRole('button', { name: 'Send everyone', exact: true }).click();
  await page.getByRole('list', { name: 'Earlier runs' }).getByText('1 of 1 person').waitFor();
  expect(await page.content()).not.toContain(fake.key!);
});

test('a corrected setting loses its message, and settings that another owner changed in the meantime are shown before anything is saved', async ({
  page,
}) => {
  await using contacts = await createContactsWorld();
  const { world, connectionId } = contacts;
  const { accountId } = world;
  const { id: otherId } = (await world.rest('POST /webinars', { title: 'Spring' })).json.data;
  await signIn(page, world.service, world, `/w/${accountId}/settings/marketing-tools/${connectionId}`);
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
  const domains = page.getByRole('combobox', { name: 'Domains left out' });
  await domains.fill('mine');
  await domains.press('Enter');
  await save();
  await page.getByText('One field has a problem').waitFor();
  await page.locator('[aria-invalid=true]').waitFor();
  await domains.press('Backspace');
  await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
  await domains.fill('mine.example');
  await domains.press('Enter');
  await page.getByText('Unsaved changes').waitFor();
  await choose(page, 'Webinars left out', 'Launch');
  const owner = await openDashboard(world.service, world);
  const fields = { ...allInStep.fields, attended: { key: 'attended' } };
  await owner.mutate('connections.changeSync', {
    connectionId,
    sync: { fields, webinarsLeftOut: [otherId] },
  });
  await save();
  const conflict = page.getByRole('dialog', { name: 'This was changed in the meantime' });
  await conflict.getByText(/^You saved the other change on/).waitFor();
  await conflict.getByText('They changed it to “attended” (always)').waitFor();
  await conflict.getByText('You changed it to “mine.example”').waitFor();
  await conflict.getByText('Keep mine: “Launch”').waitFor();
  await conflict.getByText('Take theirs: “Spring”').click();
  await conflict.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const [saved] = await owner.query('connections.list', {});
  expect(saved.settings.sync).toMatchObject({
    fields: { attended: { key: 'attended', policy: 'always' } },
    webinarsLeftOut: [otherId],
    domainsLeftOut: ['mine.example'],
  });
});

test('an open page shows the fields that another owner makes, and those of another account after the key was replaced', async ({
  page,
}) => {
  const fields = { lastWebinar: { key: 'LASTWEB', policy: 'always' } } as const;
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { fields } });
  const { world, connectionId, fake } = contacts;
  const { baseUrl } = fake;
  const owner = await openDashboard(world.service, world);
  await signIn(page, world.service, world, `/w/${world.accountId}/settings/marketing-tools/${connectionId}`);
  const fieldOf = (value: string) =>
    page.getByRole('combobox', { name: `${value}: audience field at Mailchimp`, exact: true }).inputValue();
  await expect.poll(() => fieldOf('Last webinar')).toBe('LASTWEB (text)');
  await owner.mutate('connections.createFields', { connectionId });
  await expect.poll(() => fieldOf('Webinar watched percent')).toMatch(/\(number\)$/);
  fake.fields.delete('LASTWEB');
  const credential = credentialOf('mailchimp');
  await owner.mutate('connections.replaceCredential', { connectionId, credential, baseUrl });
  await expect.poll(() => fieldOf('Last webinar')).toBe('LASTWEB (not found)');
});

test('a paused or disconnected connection says what waits, and its buttons say why they cannot send', async ({
  page,
}) => {
  await using contacts = await createContactsWorld({ sync: { fields: {}, tags: { prefix: '', use: [] } } });
  const { world, fake, connectionId } = contacts;
  const member = await createTestMember(world.service, world.accountId);
  const path = `/w/${world.accountId}/settings/marketing-tools/${connectionId}`;
  await signIn(page, world.service, member, path);
  await page.getByText('Every registrant becomes a contact that has only the e-mail address.').waitFor();
  fake.key = undefined;
  await world.register();
  await contacts.send();
  await page.getByText('an owner must replace the key within that time, and all are sent').waitFor();
  const preview = page.getByRole('list', { name: 'Preview' });
  await preview.getByText('ada@example.com', { exact: true }).click();
  await preview.getByRole('button', { name: 'Send now' }).hover();
  await page.getByText('The tool refuses the stored key. An owner must replace it first.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  // Resuming alone would send nothing.
  await page.getByText('Changes of contacts wait for 30 days at most. The tool last said:').waitFor();
  await page.getByText(/^Missing or invalid authorization scheme/).waitFor();
  await page.getByRole('tab', { name: 'Sent' }).click();
  const again = page.getByRole('button', { name: 'Send everyone again', exact: true });
  expect(await again.getAttribute('aria-disabled')).toBe('true');
  await again.hover();
  await page.getByText('The connection is paused. Resume it first.').waitFor();
});

test('the history names the erasure of a person instead of a send, and says what to do when it was given up', async ({
  page,
}) => {
  await using contacts = await createContactsWorld();
  const { world, connectionId } = contacts;
  await world.register('ada@example.com');
  await requestErasure(contacts, 'ada@example.com');
  await eraseAll(contacts);
  await contacts.send();
  const path = `/w/${world.accountId}/settings/marketing-tools/${connectionId}?tab=sent`;
  await signIn(page, world.service, world, path);
  const sent = page.getByRole('list', { name: 'Sent' });
  await sent.getByText('Erased person').click();
  await sent.getByText('Erased in Klaviyo').waitFor();
  expect(await sent.textContent()).not.toContain('erased:');
  await contacts.sql("update contacts.send set outcome = 'expired' where contact like 'erased:%'");
  await page.reload();
  await sent.getByText('Not erased in Klaviyo').click();
  await sent.getByText('Delete the contact there.').waitFor();
});
