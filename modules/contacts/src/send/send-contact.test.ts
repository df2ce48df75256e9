import {
  createFake,
  createFakeSend,
  credentialOf,
  exampleChange,
  providerOf,
} from '@service/marketing-providers/testing';
import { expect, test } from 'vitest';
import { sendContact } from './send-contact.ts';

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
