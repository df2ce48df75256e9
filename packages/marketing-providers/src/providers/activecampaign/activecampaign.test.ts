import { expect, test } from 'vitest';
import type { ContactChange } from '../../index.ts';
import { applyChange, createFake, createFakeSend, exampleChange, providerOf } from '../../testing/index.ts';

const activecampaign = providerOf('activecampaign');
const { email } = exampleChange();

function open() {
  const fake = createFake('activecampaign');
  const send = createFakeSend('activecampaign', fake);
  const apply = (changes: Partial<ContactChange>) =>
    applyChange(
      activecampaign,
      exampleChange({ consent: { given: true, at: new Date(0) }, ...changes }),
      send,
    );
  return { fake, apply, contact: fake.contact(email) };
}

test('a contact that was taken out of a list is not added to it again, but to others', async () => {
  const { apply, contact } = open();
  await apply({ lists: { add: ['1'], remove: [] } });
  // The contact was never in list 2, so this does not count as leaving it.
  await apply({ lists: { add: [], remove: ['1', '2'] } });
  await apply({ lists: { add: ['1', '2'], remove: [] } });
  expect([...contact.lists]).toEqual(['2']);
  // An import decides the same.
  await apply({ lists: { add: ['1', '3'], remove: [] }, isBackfill: true });
  expect([...contact.lists]).toEqual(['2', '3']);
});

test('a contact whose lists fill a page is added to no list that the page does not show', async () => {
  const { apply, contact } = open();
  for (let list = 1; list <= 100; list++) contact.lists.add(String(list));
  const steps = await apply({ lists: { add: ['120'], remove: [] } });
  expect(steps.at(-1)!.outcome).toMatchObject({ kind: 'left' });
  expect(contact.lists.has('120')).toBe(false);
});

test('a tag on the second page of a contact is removed', async () => {
  const { fake, apply, contact } = open();
  for (let number = 0; number < 150; number++) {
    fake.tags.add(`tag ${number}`);
    contact.tags.add(`tag ${number}`);
  }
  await apply({ tags: { add: [], remove: ['tag 149'] } });
  expect(contact.tags.size).toBe(149);
  expect(contact.tags.has('tag 149')).toBe(false);
});

test('an empty value is taken, although the answer has none', async () => {
  const { apply } = open();
  const [step] = await apply({ fields: [{ key: '6', value: '', policy: 'always' }] });
  expect(step!.outcome).toEqual({ kind: 'done', learnt: { contact: expect.any(String) } });
});

test('the address of an API is an origin over HTTPS', () => {
  const parse = (url: string): unknown =>
    activecampaign.credential.safeParse({ url, key: 'a'.repeat(72) }).data;
  for (const url of ['https://acme.api-us1.com', ' https://acme.api-us1.com/api/3/ '])
    expect(parse(url)).toMatchObject({ url: 'https://acme.api-us1.com' });
  for (const url of [
    'http://acme.api-us1.com',
    'https://user@acme.com',
    'https://acme.com/admin?x=1',
    'acme',
  ])
    expect(parse(url)).toBeUndefined();
});
