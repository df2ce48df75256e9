import { contactsModule } from '@service/contacts';
import { createId } from '@service/database';
import { hashAddress } from '@service/secrets';
import { expect, test } from 'vitest';
import { eraseAll, requestErasure } from '../erasure/erasure-world.ts';
import { contactOf, createContactsWorld, createGatedWorld, type ContactsWorld } from './contacts-world.ts';

const email = 'ada@example.com';

async function erase(contacts: ContactsWorld): Promise<void> {
  await requestErasure(contacts, email);
  await eraseAll(contacts);
}

const erasedOf = ({ world }: ContactsWorld): string => `erased:${hashAddress(world.accountId, email)}`;

test('an erasure is tried again like a change, and its history has no words of the tool', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, clock, worker } = contacts;
  await world.register();
  await contacts.send();
  fake.faults.push({ status: 500, body: { errors: [{ detail: `${email} is in use` }] } });
  await erase(contacts);
  await contacts.send();
  expect(fake.erased).toEqual([]);
  clock.advance(10);
  await worker.sendDue();
  expect(fake.erased).toEqual([email]);
  const contact = erasedOf(contacts);
  expect(await contacts.sends()).toMatchObject([
    {
      contact,
      outcome: 'later',
      reason: 'The tool did not take the call "Request profile deletion" (HTTP 500).',
    },
    { contact, outcome: 'done', reason: null },
  ]);
  expect(await contacts.changes()).toEqual([]);
});

test('what waits for an erased person is not sent, and a person who comes back is sent after their erasure', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, sql } = contacts;
  const id = await world.register();
  await contacts.send();
  await sql('update connections.connection set paused_at = now()');
  await world.call(`POST /registrations/${id}/cancel`);
  const waiting = await sql(
    `update contacts.change set tags = '{"before": true}', causes = '["019aa2d3-2b53-7f61-a4a9-07f3f0c1b6aa"]' returning contact`,
  );
  expect(waiting).toEqual([{ contact: email }]);
  await erase(contacts);
  expect(await sql('select is_erasure, in_step, tags from contacts.change')).toEqual([
    { is_erasure: true, in_step: false, tags: {} },
  ]);
  await world.register();
  await sql('update connections.connection set paused_at = null');
  contacts.clock.advance(30);
  await contacts.send();
  await contacts.send();
  expect(fake.erased).toEqual([email]);
  expect(contactOf(contacts)?.fields).toMatchObject({ last_webinar: 'Launch' });
  expect(await contacts.sends()).toMatchObject([
    { contact: erasedOf(contacts), outcome: 'done' },
    { contact: email, outcome: 'done' },
  ]);
});

test('a change that is in flight ends before the erasure, and leaves no address in the history', async () => {
  await using contacts = await createGatedWorld();
  const { world, gate, worker, clock, fake, sql } = contacts;
  await world.register();
  clock.advance(1.5);
  const sending = worker.sendDue();
  await expect.poll(() => gate.waiting(), { timeout: 10_000 }).toBe(1);
  await erase(contacts);
  clock.advance(2);
  gate.open();
  gate.pass();
  await sending;
  await contacts.send();
  expect(fake.erased).toEqual([email]);
  expect(fake.contacts.size).toBe(0);
  // A change that found no registration any more.
  await sql(
    `insert into contacts.send (account_id, id, connection_id, contact, causes, calls, outcome, duration_ms, fields)
     select account_id, $1, connection_id, $2, '[]', '[]', 'done', 5, '[]' from contacts.send limit 1`,
    [createId(), email],
  );
  await eraseAll(contacts, 601);
  expect(new Set((await contacts.sends()).map(({ contact }) => contact))).toEqual(
    new Set([erasedOf(contacts)]),
  );
});

test('a tool that cannot erase people is named in the history', async () => {
  await using contacts = await createContactsWorld({ tool: 'kit' });
  await contacts.world.register();
  await contacts.send();
  await erase(contacts);
  await contacts.send();
  expect(await contacts.sends()).toMatchObject([
    {
      contact: erasedOf(contacts),
      outcome: 'skipped',
      reason: 'Kit cannot erase people over its API. Delete the contact there.',
    },
  ]);
});

test('an erasure whose key stays dead for 30 days expires without an address', async () => {
  await using contacts = await createContactsWorld();
  const { world, clock, sql } = contacts;
  await world.register();
  await sql('update connections.connection set paused_at = now()');
  await erase(contacts);
  clock.advance(31 * 86_400);
  const [cron] = contactsModule.jobs({ database: world.service.db.database } as never).crons;
  await cron!.run(clock.now());
  expect(await contacts.sends()).toMatchObject([{ contact: erasedOf(contacts), outcome: 'expired' }]);
});

test('an import that arrives after the erasure is erased by the repetition', async () => {
  await using contacts = await createContactsWorld();
  const { fake } = contacts;
  await contacts.world.register();
  await contacts.send();
  const imported = contactOf(contacts)!;
  await erase(contacts);
  await contacts.send();
  fake.contacts.set(email, imported);
  await eraseAll(contacts, 601);
  await contacts.send();
  expect(fake.erased).toEqual([email, email]);
  expect(fake.contacts.size).toBe(0);
});

test('the id of an erasure stays among its causes when facts wait behind it', async () => {
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  await world.register();
  await sql('update connections.connection set paused_at = now()');
  await erase(contacts);
  const [erasure] = await sql('select id from attendees.erasure');
  await world.register();
  const [waiting] = await contacts.changes();
  expect(waiting!.causes).toHaveLength(2);
  expect(waiting!.causes.at(-1)).toBe(erasure!['id']);
});
