import { expect, test } from 'vitest';
import { applyChange, createFake, createFakeSend, exampleChange, providerOf } from '../../testing/index.ts';

const hubspot = providerOf('hubspot');

test('a new contact takes two calls, and a known one without a change one', async () => {
  const fake = createFake('hubspot');
  const send = createFakeSend('hubspot', fake);
  const change = exampleChange({ fields: [{ key: 'firstname', value: 'Ada', policy: 'if_empty' }] });
  const steps = async (): Promise<string[]> =>
    (await applyChange(hubspot, change, send)).map(({ request }) => request.step);
  expect(await steps()).toEqual(['lookup', 'create']);
  expect(await steps()).toEqual(['lookup']);
});

test('values of a contact that is made between look-up and creation are kept', async () => {
  const fake = createFake('hubspot');
  const send = createFakeSend('hubspot', fake);
  const change = exampleChange({
    fields: [
      { key: 'firstname', value: 'Ada', policy: 'if_empty' },
      { key: 'lastname', value: 'Byron', policy: 'at_creation' },
      { key: 'last_webinar', value: 'Demo', policy: 'always' },
    ],
  });
  await applyChange(hubspot, change, (request) => {
    if (request.step === 'create') fake.contact(change.email).fields['firstname'] = 'Augusta';
    return send(request);
  });
  expect(fake.contacts.get(change.email)!.fields).toEqual({ firstname: 'Augusta', last_webinar: 'Demo' });
});

test('an address that HubSpot does not have is not sent to its deletion, which would block the address', async () => {
  const fake = createFake('hubspot');
  const send = createFakeSend('hubspot', fake);
  const [lookup] = hubspot.erase!('unknown@example.com', { done: new Set(), learnt: {} });
  expect(lookup!.method).toBe('GET');
  expect(await send(lookup!)).toMatchObject({ status: 404 });
  expect(hubspot.erase!('unknown@example.com', { done: new Set(['lookup']), learnt: {} })).toEqual([]);
});
