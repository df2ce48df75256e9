// People and lists: with consent, and never after a person has left.
import { expect, test } from 'vitest';
import { contactOf, createContactsWorld } from './contacts-world.ts';

test('people join a list only if they have agreed, and a person who left stays out', async () => {
  await using contacts = await createContactsWorld({ sync: { lists: ['L1'] } });
  const { world, fake } = contacts;
  fake.contact('gone@example.com').consent = 'left';
  await world.register('agreed@example.com', { consent: { given: true } });
  await world.register('refused@example.com', { consent: { given: false } });
  await world.register('unasked@example.com');
  await world.register('gone@example.com', { consent: { given: false } });
  await contacts.send();
  const listed = [...fake.contacts.values()].filter(({ lists }) => lists.has('L1'));
  expect(listed.map(({ email }) => email)).toEqual(['agreed@example.com']);
  expect(contactOf(contacts, 'gone@example.com')).toMatchObject({ consent: 'left' });
  expect(fake.contacts.size).toBe(4);
});

test('a person who unsubscribed from our mails is added to no list and not subscribed, although they agree', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { lists: ['ia1'] } });
  const { world, fake } = contacts;
  const { unsubscribeLinks } = world.service.api.service;
  const url = unsubscribeLinks.urlOf({ accountId: world.accountId, address: 'Ada@example.com' });
  await fetch(`${world.service.baseUrl}${new URL(url).pathname}`, { method: 'POST' });
  for (const email of ['ada@example.com', 'bob@example.com'])
    await world.register(email, { consent: { given: true } });
  await contacts.send();
  expect(contactOf(contacts)).toMatchObject({ consent: 'none', lists: new Set() });
  expect(fake.contacts.get('bob@example.com')).toMatchObject({ consent: 'given', lists: new Set(['ia1']) });
});

test('a person who left a list is not added to it by later facts, only by agreeing again', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { lists: ['ia1'] } });
  const { world } = contacts;
  const agree = () => world.register('ada@example.com', { consent: { given: true } });
  const id = await agree();
  await contacts.send();
  expect([...contactOf(contacts)!.lists]).toEqual(['ia1']);
  contactOf(contacts)!.lists.clear();
  await world.call(`POST /registrations/${id}/cancel`);
  await contacts.send();
  expect(await contacts.sends()).toHaveLength(2);
  expect([...contactOf(contacts)!.lists]).toEqual([]);
  await agree();
  await contacts.send();
  expect([...contactOf(contacts)!.lists]).toEqual(['ia1']);
});

test('a person who leaves a list before the rest of the change is repeated stays out', async () => {
  await using contacts = await createContactsWorld({ sync: { lists: ['L1', 'L2'] } });
  const { world, fake, clock, worker } = contacts;
  await world.register('ada@example.com', { consent: { given: true } });
  fake.faults.push('none', 'none', 'unavailable');
  await contacts.send();
  expect([...contactOf(contacts)!.lists]).toEqual(['L1']);
  contactOf(contacts)!.lists.clear();
  clock.advance(10);
  await worker.sendDue();
  expect([...contactOf(contacts)!.lists]).toEqual(['L2']);
  expect(await contacts.changes()).toEqual([]);
});
