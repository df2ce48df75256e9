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

test('reads of an import that are throttled are repeated until one is answered, and the lane rests', async () => {
  await using contacts = await createContactsWorld({ tool: 'activecampaign' });
  const { fake, clock, worker, sql } = contacts;
  fake.refusedByImports.add('person3@example.com');
  await contacts.queue(30, { fields: { firstName: { value: 'Ada', policy: 'always' } }, tags: {} });
  await worker.sendDue();
  clock.advance(11);
  for (let read = 0; read < 10; read += 1) {
    fake.faults.push('rate_limited');
    await worker.sendDue();
    const asked = fake.requests.length;
    await worker.sendDue();
    expect(fake.requests).toHaveLength(asked);
    clock.advance(61);
  }
  expect(await sql('select attempts from contacts.import_job')).toEqual([{ attempts: 0 }]);
  await worker.sendDue();
  const refused = (await contacts.sends()).filter(({ outcome }) => outcome === 'person_refused');
  expect(refused).toMatchObject([{ contact: 'person3@example.com' }]);
});

test('2,000 due imports of one connection do not keep those of another one waiting', async () => {
  await using contacts = await createContactsWorld({ tool: 'activecampaign' });
  const { fake, clock, worker, sql, world, connectionId } = contacts;
  await contacts.queue(30, { fields: { firstName: { value: 'Ada', policy: 'always' } }, tags: {} });
  await worker.sendDue();
  await sql(
    `insert into contacts.import_job (account_id, connection_id, id, first_send_id, attempts, due_at)
     select '00000000-0000-7000-8000-000000000000', '00000000-0000-7000-8000-000000000001', number, $1, 0, '2020-01-01'
     from generate_series(1, 2000) number`,
    [connectionId],
  );
  // Another worker sends that connection.
  await sql(
    `insert into contacts.lane (account_id, connection_id, lease_token, lease_until)
     values ('00000000-0000-7000-8000-000000000000', '00000000-0000-7000-8000-000000000001', $1, '2999-01-01')`,
    [connectionId],
  );
  clock.advance(11);
  const asked = fake.requests.length;
  await worker.sendDue();
  expect(fake.requests).toHaveLength(asked + 1);
  expect(await sql('select from contacts.import_job where account_id = $1', [world.accountId])).toEqual([]);
});
