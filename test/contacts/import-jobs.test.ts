// Imports that a tool accepts before they are done.
import type { ProviderId } from '@service/marketing-providers';
import { expect, test } from 'vitest';
import { createContactsWorld } from './contacts-world.ts';

test.each<[ProviderId, string, string, object]>([
  [
    'klaviyo',
    'first_name',
    'The phone number is not valid.',
    { data: { attributes: { status: 'processing' } } },
  ],
  ['activecampaign', 'firstName', 'The import refused the contact.', { status: false }],
])(
  'a contact that an import of %s refuses gets its outcome when the import has ended',
  async (tool, key, reason, pending) => {
    await using contacts = await createContactsWorld({ tool });
    const { fake, clock, worker, sql } = contacts;
    const refused = ['person3@example.com', 'person7@example.com'];
    for (const email of refused) fake.refusedByImports.add(email);
    await contacts.queue(30, { fields: { [key]: { value: 'Ada', policy: 'always' } }, tags: {} });
    const jobs = () => sql('select id from contacts.import_job');
    const refusals = async () =>
      (await contacts.sends()).filter(({ outcome }) => outcome === 'person_refused');
    await worker.sendDue();
    expect(fake.contacts.size).toBe(28);
    expect([(await contacts.sends()).length, await jobs()]).toMatchObject([30, [{}]]);

    fake.faults.push({ status: 200, body: pending });
    clock.advance(11);
    await worker.sendDue();
    expect([await refusals(), await jobs()]).toMatchObject([[], [{}]]);
    clock.advance(31);
    await worker.sendDue();
    expect(Object.fromEntries((await refusals()).map((send) => [send.contact, send.reason]))).toEqual(
      Object.fromEntries(refused.map((email) => [email, reason])),
    );
    expect(await jobs()).toEqual([]);
    const asked = fake.requests.length;
    clock.advance(86_400);
    await worker.sendDue();
    expect(fake.requests).toHaveLength(asked);
  },
);
