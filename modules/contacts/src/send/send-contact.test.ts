import {
  createFake,
  createFakeSend,
  credentialOf,
  exampleChange,
  providerOf,
} from '@service/marketing-providers/testing';
import { expect, test } from 'vitest';
import { sendBatch, sendContact } from './send-contact.ts';

test('a tag whose id was kept and that was made again since is added', async () => {
  const fake = createFake('kit');
  const send = (email: string, known: Map<string, string>) =>
    sendContact(exampleChange({ email, tags: { add: ['customer'], remove: [] } }), {
      provider: providerOf('kit'),
      credential: credentialOf('kit'),
      call: createFakeSend('kit', fake),
      known,
      onEventSent: async () => undefined,
    });
  const known = new Map([['tag:customer', '1']]);
  expect(await send('ada@example.com', known)).toMatchObject({ attempted: { kind: 'done' }, problems: [] });
  expect(fake.contacts.get('ada@example.com')!.tags).toEqual(new Set(['customer']));
  const { calls } = await send('bob@example.com', known);
  expect(calls).not.toContain('Find or create tag');
});

test('a property that HubSpot does not have any more costs a batch of 100 contacts one more call, and a bad value as well', async () => {
  const fake = createFake('hubspot');
  const parts = {
    provider: providerOf('hubspot'),
    credential: credentialOf('hubspot'),
    call: createFakeSend('hubspot', fake),
    onJob: async () => undefined,
  };
  const always = (key: string, value: string | number) => ({ key, value, policy: 'always' as const });
  const contacts = (fieldsOf: (n: number) => ReturnType<typeof always>[]) =>
    Array.from({ length: 100 }, (_, n) =>
      exampleChange({
        email: `person${n}@example.com`,
        fields: [always('last_webinar', 'Demo'), ...fieldsOf(n)],
      }),
    );
  const valuesOf = () => [...fake.contacts.values()].map(({ fields }) => fields['last_webinar']);

  const gone = await sendBatch(
    contacts((n) => (n > 0 ? [always('removed', 'x')] : [])),
    parts,
  );
  expect(fake.requests).toHaveLength(2);
  expect(valuesOf()).toEqual(Array.from({ length: 100 }, () => 'Demo'));
  const problem = { text: 'The field removed was not taken', reason: 'Property "removed" does not exist' };
  expect(gone).toMatchObject(
    gone.map((_, n) => ({ attempted: { kind: 'done' }, problems: n > 0 ? [problem] : [] })),
  );

  const bad = await sendBatch(
    contacts((n) => [always('watched_percent', n < 3 ? 'many' : n)]),
    parts,
  );
  expect(fake.requests).toHaveLength(4);
  expect(bad.map((one) => one !== 'alone' && one.problems.length)).toEqual(
    Array.from({ length: 100 }, (_, n) => (n < 3 ? 1 : 0)),
  );
});
