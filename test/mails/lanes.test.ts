import { createId } from '@service/database';
import { credentialOf, startFake, type FakeProvider } from '@service/mail-senders/testing';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createMailsWorld, type MailsWorld } from './mails-world.ts';

/** Makes the fake the default connection of the world's account. Returns its id. */
async function connect({ world, sql }: MailsWorld, fake: FakeProvider): Promise<string> {
  const id = createId();
  const { connections } = world.service.api.service;
  const sealed = connections.seal(credentialOf('postmark', fake), { id, credentialVersion: 1 });
  const from = { name: 'Acme', address: 'hello@example.com' };
  fake.verifiedDomains.add('example.com');
  await sql(
    `insert into connections.connection (account_id, id, kind, provider, name, credential_kind, credential_version, sealed_credential,
       credential_last4, settings, is_default, state, since, laters, notifications, checked_at, created_by_kind, updated_by_kind, created_at,
       updated_at)
     values ($1, $2, 'mail', 'postmark', 'Postmark', 'key', 1, $3, '8a1b', $4, true, 'connected', now(), 0, 0,
       now() - interval '1 hour', 'operator', 'operator', now(), now())`,
    [world.accountId, id, sealed, JSON.stringify({ from, replyTo: null, baseUrl: fake.baseUrl })],
  );
  return id;
}

const newestMail = async ({ world }: MailsWorld, registrationId: string) =>
  (await world.call(`GET /registrations/${registrationId}/mails`)).json.data[0];

test('mails leave through the connection of the workspace, under its name', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  const connectionId = await connect(mails, fake);
  await mails.world.call('PATCH /mails', { replyTo: 'host@example.com' });
  const id = await mails.world.register('ada@example.com');
  await mails.untilSent();
  expect(fake.mails).toMatchObject([
    {
      from: { name: 'Acme', address: 'hello@example.com' },
      to: ['ada@example.com'],
      subject: 'You are registered: Launch',
      calendar: { type: expect.stringContaining('text/calendar') },
    },
  ]);
  expect(fake.mails[0]!.replyTo).toMatchObject({ address: 'host@example.com' });
  expect(await newestMail(mails, id)).toMatchObject({
    status: 'sent',
    sender: 'connection',
    connectionId,
    attempts: 1,
  });
  expect(await mails.mails()).toEqual([]);
});

test('an address that the provider refuses is not written to again', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  await connect(mails, fake);
  fake.inactive.add('gone@example.com');
  const id = await mails.world.register('gone@example.com');
  await mails.untilSent();
  expect(await newestMail(mails, id)).toMatchObject({ status: 'bounced', attempts: 1 });
  await mails.world.call(`POST /registrations/${id}/mails/confirmation/send`);
  await mails.untilSent();
  expect(await newestMail(mails, id)).toMatchObject({ status: 'suppressed', reason: 'hard_bounce' });
});

test('a revoked key disconnects the connection, and confirmations leave through the installation', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  await connect(mails, fake);
  fake.key = undefined;
  const id = await mails.world.register('ada@example.com');
  await eventually('the connection to be disconnected', async () => {
    const [connection] = await mails.sql<{ state: string }>('select state from connections.connection');
    return connection!.state === 'disconnected';
  });
  expect(await newestMail(mails, id)).toMatchObject({ status: 'queued', attempts: 0 });
  await mails.sql(`update mails.due set due_at = now()`);
  await mails.untilMails(1);
  await mails.untilSent();
  expect(await newestMail(mails, id)).toMatchObject({
    status: 'sent',
    sender: 'installation',
    note: 'The connection is disconnected.',
  });
});

test('a report of a bounce stops the address, once, and a forged one does not exist', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const connectionId = await connect(mails, fake);
  const id = await world.register('ada@example.com');
  await mails.untilSent();
  const { reportLinks } = world.service.api.service;
  const at = (accountId: string, connection = connectionId): string =>
    `${world.service.baseUrl}${new URL(reportLinks.urlOf({ accountId, connectionId: connection })).pathname}`;
  const bounce = (Email: string) => ({
    RecordType: 'Bounce',
    Type: 'HardBounce',
    ID: 42,
    Email,
    MessageID: fake.mails[0]!.id,
    BouncedAt: new Date().toISOString(),
    Description: 'No such mailbox',
  });
  const post = async (url: string, body: unknown): Promise<number> =>
    (
      await fetch(url, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      })
    ).status;
  expect(await post(at(createId()), bounce('ada@example.com'))).toBe(404);
  expect(await post(`${at(world.accountId).slice(0, -1)}x`, bounce('ada@example.com'))).toBe(404);
  expect(await post(at(world.accountId), bounce('stranger@example.com'))).toBe(200);
  expect(await sql('select address from mails.suppression')).toEqual([]);
  expect([
    await post(at(world.accountId), bounce('ada@example.com')),
    await post(at(world.accountId), bounce('ada@example.com')),
  ]).toEqual([200, 200]);
  expect(await sql('select address, reason from mails.suppression')).toEqual([
    { address: 'ada@example.com', reason: 'hard_bounce' },
  ]);
  expect(await newestMail(mails, id)).toMatchObject({ status: 'bounced' });
});
