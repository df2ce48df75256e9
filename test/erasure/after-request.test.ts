// Facts since the request of an erasure, and what old mails and imports bring afterwards.
import { createId } from '@service/database';
import { hashAddress } from '@service/secrets';
import { startFake } from '@service/mail-senders/testing';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { contactOf, createContactsWorld, type ContactsWorld } from '../contacts/contacts-world.ts';
import { connectFake } from '../mails/mails-world.ts';
import { signers } from '../mails/sign-reports.ts';
import { callRest } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { createPublishedWebinar, writeAs } from '../support/factories.ts';
import { openShop } from '../support/shop.ts';
import { eraseAll, mailboxOf, requestErasure } from './erasure-world.ts';

const email = 'ada@example.com';

/** A registration that was being made at the time of the request, and is committed after it. */
async function registerLate({ world, sql }: ContactsWorld): Promise<void> {
  await world.register();
  await sql(`update attendees.registration set registered_at = registered_at - interval '1 hour'`);
}

/** A person whose erasure was sent to HubSpot, with a late registration. */
async function createLateWorld(): Promise<ContactsWorld> {
  const contacts = await createContactsWorld({ tool: 'hubspot' });
  await contacts.world.register();
  await contacts.send();
  await requestErasure(contacts, email);
  await contacts.send();
  await eraseAll(contacts);
  await registerLate(contacts);
  return contacts;
}

test('a person who comes back before workers erase keeps everything since the request', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, sql } = contacts;
  const { service, key, webinar } = world;
  const shop = await openShop(service, world);
  const register = async (idempotencyKey: string) =>
    callRest(service, `POST /webinars/${webinar.id}/registrations`, {
      key,
      body: { name: 'Ada', email, sessionTime: webinar.sessionTime },
      headers: { 'Idempotency-Key': idempotencyKey },
    });
  await register('before');
  await shop.report({ email, event_id: 'before' });
  await contacts.send();
  await sql('update connections.connection set paused_at = now()');
  const { id } = (await register('waiting')).json.data;
  await world.call(`POST /registrations/${id}/cancel`);
  // A process with a clock that is ahead has written it.
  await sql(
    `update contacts.change set fields = '{"before": {"value": "yes", "policy": "always"}}', last_at = now() + interval '1 minute'`,
  );

  await requestErasure(contacts, email);
  const again = await register('after');
  await shop.report({ email, event_id: 'after' });
  await sql(
    `update contacts.change set fields = fields || '{"after": {"value": "yes", "policy": "always"}}'`,
  );
  await eraseAll(contacts);
  expect(await sql('select is_erasure, in_step, fields from contacts.change')).toEqual([
    { is_erasure: true, in_step: true, fields: { after: { value: 'yes', policy: 'always' } } },
  ]);
  await sql('update connections.connection set paused_at = null');
  contacts.clock.advance(30);
  await contacts.send();
  await contacts.send();
  await eraseAll(contacts, 601);
  await contacts.send();
  expect(fake.erased).toEqual([email]);
  expect(contactOf(contacts)?.fields).toMatchObject({ after: 'yes' });
  expect(contactOf(contacts)?.fields).not.toHaveProperty('before');
  expect((await contacts.sends()).map(({ contact }) => contact)).toContain(email);
  expect((await register('after')).json).toEqual(again.json);
  const { data } = (await world.rest('GET /revenue/events')).json;
  expect(data.map((event: { email: string | null }) => event.email)).toEqual([email, null]);
});

test('a second request erases what has come since the first one, although its erasure has not ended', async () => {
  await using contacts = await createContactsWorld();
  const { world } = contacts;
  const shop = await openShop(world.service, world);
  await world.register();
  await requestErasure(contacts, email);
  await shop.report({ email });
  await requestErasure(contacts, email);
  await eraseAll(contacts);
  const { data } = (await world.rest('GET /revenue/events')).json;
  expect(data).toMatchObject([{ email: null }]);
});

test('the erasure of a late registration is sent to the tools although the first one was', async () => {
  await using contacts = await createLateWorld();
  const { fake, sql } = contacts;
  await contacts.send();
  await eraseAll(contacts, 601);
  await eraseAll(contacts);
  await contacts.send();
  await eraseAll(contacts, 601);
  expect(fake.erased).toHaveLength(2);
  expect(await sql('select from attendees.registration')).toEqual([]);
  expect(await sql('select finished_at is not null as done from attendees.erasure')).toEqual([
    { done: true },
    { done: true },
  ]);
});

test('facts that a late registration adds to a waiting erasure are dropped by its own erasure', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, sql } = contacts;
  await world.register();
  await contacts.send();
  await sql('update connections.connection set paused_at = now()');
  await requestErasure(contacts, email);
  await eraseAll(contacts);
  await registerLate(contacts);
  await sql(
    `update contacts.change set tags = '{"late": true}', last_at = (select requested_at from attendees.erasure)`,
  );
  await eraseAll(contacts, 601);
  await eraseAll(contacts);
  await sql('update connections.connection set paused_at = null');
  contacts.clock.advance(30);
  await contacts.send();
  await contacts.send();
  expect(fake.erased).toEqual([email]);
  expect(fake.contacts.size).toBe(0);
});

test('facts that running work adds for a person without a registration are not sent after the erasure', async () => {
  await using contacts = await createContactsWorld({ tool: 'hubspot' });
  const { world, fake, sql } = contacts;
  await world.register();
  await contacts.send();
  await requestErasure(contacts, email);
  await sql(`update contacts.change set tags = '{"late": true}', last_at = last_at + interval '1 second'`);
  await eraseAll(contacts);
  await contacts.send();
  await contacts.send();
  expect(fake.erased).toHaveLength(1);
  expect(contactOf(contacts)).toBeUndefined();
});

test('a person who has come back is in the tools again after the erasure of a late registration', async () => {
  await using contacts = await createLateWorld();
  const { world, fake } = contacts;
  const sessionTime = new Date(Date.parse(world.webinar.sessionTime) + 86_400_000).toISOString();
  const { id } = await createPublishedWebinar(world.service.db.database, world.accountId, { sessionTime });
  await world.rest(`POST /webinars/${id}/registrations`, { name: 'Ada', email, sessionTime });
  await contacts.send();
  await eraseAll(contacts, 601);
  await eraseAll(contacts);
  await contacts.send();
  await contacts.send();
  expect(fake.erased).toHaveLength(2);
  expect(contactOf(contacts)?.fields).toMatchObject({ last_webinar: 'Launch' });
});

test('an address that running work writes after the request is erased by the repetition', async () => {
  await using contacts = await createContactsWorld();
  const { world, sql, connectionId } = contacts;
  const { accountId } = world;
  await requestErasure(contacts, email);
  await eraseAll(contacts);
  await sql(
    `insert into mails.suppression (account_id, address, reason, added_at) values ($1, $2, 'unsubscribed', now())`,
    [accountId, email],
  );
  await sql(
    `insert into mails.provider_event (account_id, connection_id, event_id, kind, address, received_at)
     values ($1, $2, 'e1', 'bounced_soft', $3, now())`,
    [accountId, connectionId, email],
  );
  await eraseAll(contacts, 601);
  expect(await sql('select address from mails.suppression')).toEqual([
    { address: `erased:${hashAddress(accountId, email)}` },
  ]);
  expect(await sql('select from mails.provider_event')).toEqual([]);
});

test('an old unsubscribe link and a late report of an erased person stop mails without their address', async () => {
  await using fake = await startFake('resend');
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  const { service, accountId } = world;
  const owner = await openDashboard(service, world);
  const connectionId = await connectFake(world, fake, 'resend');
  const { secret, bounce } = signers.resend();
  await owner.mutate('connections.changeReportSecret', { connectionId, secret });
  const link = service.api.service.unsubscribeLinks.urlOf({ accountId, address: email });
  const reports = (await owner.query('mails.reportUrl', { connectionId })).url;
  await world.register();
  await requestErasure(contacts, email);
  await eraseAll(contacts);
  const post = async (url: string, body: string, headers: Record<string, string> = {}) =>
    (await fetch(service.baseUrl + new URL(url).pathname, { method: 'POST', body, headers })).status;
  const suppressed = () => sql('select address, reason, note from mails.suppression');
  const address = `erased:${hashAddress(accountId, email)}`;

  expect(await post(link, 'List-Unsubscribe=One-Click')).toBe(200);
  expect(await suppressed()).toEqual([{ address, reason: 'unsubscribed', note: null }]);
  const { body, headers } = bounce(email);
  expect(await post(reports, body, headers)).toBe(200);
  expect(await suppressed()).toEqual([{ address, reason: 'hard_bounce', note: null }]);
  expect(await sql('select from mails.provider_event')).toEqual([]);

  await world.register();
  await post(link, 'List-Unsubscribe=One-Click');
  expect((await suppressed()).map((row) => row['address'])).toContain(email);
});

test('an erasure leaves the mails of other workspaces in the mailbox', async () => {
  await using contacts = await createContactsWorld();
  const { world } = contacts;
  const neighbour = await world.neighbour();
  for (const { accountId } of [world, neighbour])
    await mailboxOf(contacts).send({ accountId, to: email, subject: 'Your place', text: 'Hello' });
  await requestErasure(contacts, email);
  await eraseAll(contacts);
  expect((await mailboxOf(contacts).list()).map(({ accountId }) => accountId)).toEqual([neighbour.accountId]);
});

test('one part of an erasure opens kept answers of a bounded size, and the next part goes on after it', async () => {
  await using contacts = await createContactsWorld();
  const { accountId, service } = contacts.world;
  const { erasers, secretBox } = service.api.service;
  const body = brotliCompressSync(`${email} ${'x'.repeat(6_000_000)}`);
  for (const key of ['a', 'b', 'c'])
    await contacts.sql(
      `insert into idempotency.kept_answer (account_id, key, fingerprint, status, sealed, created_at) values ($1, $2, '', 200, $3, now())`,
      [accountId, key, secretBox.sealBytes(body, `${accountId} ${key}`)],
    );
  const until = new Date(Date.now() + 60_000);
  const person = { erasureId: createId(), email, registrationIds: [], until, isRepetition: false };
  const erase = (cursor: string | null) =>
    writeAs(service.db.database, accountId, (tx) => erasers.get('idempotency')!(tx, person, cursor));
  const erased = async () =>
    (await contacts.sql('select key from idempotency.kept_answer where status = 410 order by key')).map(
      ({ key }) => key,
    );
  expect(await erase(null)).toBe('b');
  expect(await erased()).toEqual(['a', 'b']);
  expect([await erase('b'), await erase('c')]).toEqual(['c', null]);
  expect(await erased()).toEqual(['a', 'b', 'c']);
});
