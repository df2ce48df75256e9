import { createJoinLinks } from '@service/attendees';
import { createId } from '@service/database';
import { createLog } from '@service/log';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { credentialOf, startFake, startSmtpFake } from '@service/mail-senders/testing';
import { createMailWorker, createUnsubscribeLinks } from '@service/mails';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { insertMailConnection } from '../support/mail-connections.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { connectFake, createMailsWorld, type MailsWorld } from './mails-world.ts';

const newestMail = async ({ world }: MailsWorld, registrationId: string) =>
  (await world.call(`GET /registrations/${registrationId}/mails`)).json.data[0];

test('mails leave through the connection of the workspace, under its name', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  const connectionId = await connectFake(mails.world, fake);
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

test('a worker is notified of a mail, and does not wait for its next search', async () => {
  await using fake = await startFake('postmark');
  await using world = await createWorld();
  const { db, api } = world.service;
  await connectFake(world, fake);
  const links = { key: 'key', baseUrl: 'https://webinars.example.com' };
  const worker = createMailWorker({
    database: db.database,
    connections: api.service.connections,
    mailer: undefined,
    joinLinks: createJoinLinks(links),
    unsubscribeLinks: createUnsubscribeLinks(links),
    baseUrl: links.baseUrl,
    readWorkspaceNames: async () => new Map(),
    readRuleMails: async () => new Map(),
    readMemberAddresses: async () => [],
    log: createLog('test', { level: 'silent' }),
    everyMs: 3_600_000,
  });
  worker.start();
  await eventually('the worker to listen', async () => {
    const { rows } = await db.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and query like '%listen "mails_due"%' and pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  });
  await world.register('ada@example.com');
  await eventually('a mail', async () => fake.mails.length > 0);
  await worker.stop();
});

test('an address that the provider refuses is not written to again', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  await connectFake(mails.world, fake);
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
  await connectFake(mails.world, fake);
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
  const connectionId = await connectFake(mails.world, fake);
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
  expect(await post(at(world.accountId, createId()), bounce('ada@example.com'))).toBe(404);
  expect(await post(at(world.accountId), 'no report')).toBe(404);
  expect(await sql('select event_id from mails.provider_event')).toEqual([]);
  expect(await newestMail(mails, id)).toMatchObject({ status: 'sent' });
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

test('a connection that is not the default any more can still report about the mails that it has sent', async () => {
  await using fake = await startFake('postmark');
  await using mails = await createMailsWorld();
  const { world, sql } = mails;
  const { accountId, service } = world;
  const connectionId = await connectFake(world, fake);
  await world.register('ada@example.com');
  await mails.untilSent();
  await sql('update connections.connection set is_default = false');
  await connectFake(world, fake);
  const url = new URL(service.api.service.reportLinks.urlOf({ accountId, connectionId }));
  const complaint = {
    RecordType: 'SpamComplaint',
    ID: 7,
    Email: 'ada@example.com',
    MessageID: fake.mails[0]!.id,
  };
  const answer = await fetch(service.baseUrl + url.pathname, {
    method: 'POST',
    body: JSON.stringify({ ...complaint, BouncedAt: new Date().toISOString() }),
  });
  expect(answer.status).toBe(200);
  expect(await sql('select reason from mails.suppression')).toEqual([{ reason: 'complaint' }]);
});

test('an account without a sender takes no turns of others: its mails are looked at once a minute', async () => {
  await using world = await createWorld();
  await using _worker = await testWorker(world.service.db.url);
  await world.register('ada@example.com');
  const { pool } = world.service.db.database;
  await eventually('its lane to rest', async () => {
    const { rows } = await pool.query(
      `select from mails.lane where rest_until > now() + interval '50 seconds'`,
    );
    return rows.length === 1;
  });
  const { rows } = await pool.query('select status from mails.mail');
  expect(rows).toEqual([{ status: 'queued' }]);
});

test('a mail server that never answers delays the mails of no other workspace', async () => {
  await using mails = await createMailsWorld();
  await using other = await mails.world.neighbour();
  await using silent = await startSilentServer();
  await using fake = await startSmtpFake();
  const { db, api } = mails.world.service;
  const { connections } = api.service;
  const credential = credentialOf('smtp', silent);
  await insertMailConnection(db.database, connections, {
    accountId: mails.world.accountId,
    provider: 'smtp',
    credential,
    baseUrl: null,
  });
  await connectFake(other, fake, 'smtp');
  const { sessionTime } = mails.world.webinar;
  const registrations = Array.from({ length: 100 }, (_, index) => ({
    name: 'Ada',
    email: `ada-${index}@example.com`,
    sessionTime,
  }));
  await mails.world.call('POST /registrations/bulk', { registrations });
  await eventually('the first mails to hang', () => silent.sockets.length > 0);
  await other.register('bob@example.com', { sessionTime: other.webinar.sessionTime });
  await eventually('the mail of the other workspace', () => fake.mails.length === 1);
  // None of those before it has left, or ended in another way.
  const [waiting] = await mails.sql<{ count: number }>(
    `select count(*)::int from mails.mail where account_id = $1 and status = 'queued'`,
    [mails.world.accountId],
  );
  expect(waiting!.count).toBe(100);
});

test('a hostile name, title, sender or address for replies changes no header and no recipient at the own mail server', async () => {
  await using fake = await startSmtpFake();
  await using mails = await createMailsWorld({ webinar: { title: 'Launch\r\nBcc: eve@example.com' } });
  const { world } = mails;
  await connectFake(world, fake, 'smtp');
  for (const replyTo of [
    'host@example.com\r\nBcc: eve@example.com',
    'a@example.com, b@example.com',
    'x <a@example.com>',
  ])
    expect((await world.call('PATCH /mails', { replyTo })).status, replyTo).toBe(422);
  await world.call('PATCH /mails', {
    senderName: 'Acme" <eve@example.com>, "',
    replyTo: 'host@example.com',
    kinds: { confirmation: { subject: '{{name}} {{webinarTitle}}' } },
  });
  await world.register('ada@example.com', { name: 'Ada\r\nBcc: eve@example.com\r\n\r\n<script>' });
  const [mail] = await eventually('the mail', () => fake.mails.length > 0 && fake.mails);
  expect(mail).toMatchObject({
    to: ['ada@example.com'],
    from: { address: 'hello@example.com' },
    replyTo: { address: 'host@example.com' },
  });
  expect(mail!.headers).not.toHaveProperty('bcc');
  expect(mail!.headers).not.toHaveProperty('cc');
  expect(mail!.subject).not.toMatch(/[\r\n]/);
});

/** Takes connections and says nothing. */
async function startSilentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
