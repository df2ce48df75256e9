import { expiredCertificate } from '@service/outbound-http/testing';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { SendOutcome } from '../mail-sender.ts';
import {
  createTestContext,
  credentialOf,
  type Cut,
  exampleMail,
  type SmtpFake,
  startCuttingProxy,
  startSmtpFake,
} from '../testing/index.ts';
import { smtpDomain } from './smtp-domain.ts';
import { smtp, type SmtpCredential } from './smtp.ts';

const addresses = { 'receiver.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
const credentialFor = (fake: { port: number }, changes: Partial<SmtpCredential> = {}): SmtpCredential =>
  smtp.credential.parse({ ...credentialOf('smtp', fake), ...changes });

async function send(fake: SmtpFake, changes: Partial<SmtpCredential> = {}): Promise<SendOutcome> {
  await using context = createTestContext(fake, { addresses });
  return await smtp.send(exampleMail(), credentialFor(fake, changes), context);
}

test.each([
  ['smtp.office365.com', 'Microsoft 365', 'selector1._domainkey.example.com'],
  ['smtp-relay.gmail.com.', 'Google', 'google._domainkey.example.com'],
  ['smtp.resend.com', 'Resend', 'resend._domainkey.example.com'],
  ['email-smtp.eu-west-1.amazonaws.com', 'Amazon SES', undefined],
  ['smtp.gmail.com.example.com', 'your mail provider', undefined],
  ['evilgmail.com', 'your mail provider', undefined],
])('the records of a domain that sends through %s are those of %s', (host, company, key) => {
  const { name, records } = smtpDomain('example.com', host);
  expect([name, records.find(({ subject }) => subject === 'dkim')?.host]).toEqual([company, key]);
});

test('a mail goes out over STARTTLS and over TLS from the first byte, to a server with the right certificate', async () => {
  for (const security of ['starttls', 'tls'] as const) {
    await using fake = await startSmtpFake({ security });
    expect(await send(fake, { host: 'receiver.test', security })).toMatchObject({ kind: 'sent' });
    // The certificate is for another name.
    const other = await send(fake, { host: 'other.test', security });
    expect(other, security).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining("cert's altnames"),
    });
    expect(fake.mails).toHaveLength(1);
    // One sign-in, because the password is not sent before the certificate was checked.
    expect(fake.requests).toHaveLength(1);
  }
});

test('an expired certificate and a server without TLS get no password', async () => {
  await using expired = await startSmtpFake({ security: 'starttls', cert: expiredCertificate });
  expect(await send(expired, { host: 'receiver.test' })).toMatchObject({
    kind: 'later',
    reason: expect.stringContaining('expired'),
  });
  await using clear = await startSmtpFake();
  expect(await send(clear, { host: 'receiver.test' })).toMatchObject({ kind: 'later' });
  expect(await send(clear, { host: 'receiver.test', username: '' })).toMatchObject({ kind: 'later' });
  expect([...expired.requests, ...clear.requests, ...expired.mails, ...clear.mails]).toEqual([]);
});

test('the password goes in clear only to this machine', async () => {
  await using fake = await startSmtpFake();
  for (const host of ['127.0.0.1', 'localhost'])
    expect(await send(fake, { host }), host).toMatchObject({ kind: 'sent' });
  expect(await send(fake, { host: 'receiver.test' })).toMatchObject({ kind: 'later' });
});

test('a server without a sign-in gets no mail of a connection with a password', async () => {
  const commands: string[] = [];
  const server = createServer((socket) => {
    socket.write('220 mail.test ESMTP\r\n');
    socket
      .on('error', () => undefined)
      .on('data', (line) => {
        const command = line.toString().slice(0, 4);
        commands.push(command);
        socket.write(command === 'AUTH' ? '502 5.5.1 Not implemented\r\n' : '250 mail.test\r\n');
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using context = createTestContext({ port, baseUrl: '' });
  const outcome = await smtp.send(exampleMail(), credentialFor({ port }), context);
  server.close();
  expect(outcome.kind).toBe('credential_refused');
  expect(commands.slice(0, 2)).toEqual(['EHLO', 'AUTH']);
  expect(commands).not.toContain('MAIL');
});

test('port 25 is refused when it is saved and when it is used', async () => {
  expect(smtp.credential.safeParse({ host: 'mail.example', port: 25 }).error?.issues[0]?.message).toContain(
    'Port 25',
  );
  await using context = createTestContext({ port: 25, baseUrl: '' });
  const outcome = await smtp.send(exampleMail(), { ...credentialFor({ port: 26 }), port: 25 }, context);
  expect(outcome).toMatchObject({ kind: 'credential_refused', reason: expect.stringContaining('Port 25') });
});

test('a host that resolves to a private address is refused, also when only one of its addresses is private', async () => {
  await using fake = await startSmtpFake();
  const names = { 'mail.example': ['10.0.0.5'], 'mixed.example': ['93.184.215.14', '127.0.0.1'] };
  await using context = createTestContext(fake, { addresses: names, allowedCidrs: [] });
  for (const host of [
    ...Object.keys(names),
    'localhost',
    '127.0.0.1',
    '::1',
    '2130706433',
    '169.254.169.254',
  ]) {
    const credential = credentialFor(fake, { host });
    const refusal = { reason: expect.stringContaining('private or reserved address') };
    expect(await smtp.send(exampleMail(), credential, context), host).toMatchObject({
      kind: 'credential_refused',
      ...refusal,
    });
    expect(await smtp.verify(credential, context), host).toMatchObject({ kind: 'refused', ...refusal });
  }
});

const replies: [at: SmtpFake['replies'][number]['at'], code: number, text: string, outcome: object][] = [
  ['auth', 535, '5.7.8 Bad credentials', { kind: 'credential_refused' }],
  [
    'auth',
    535,
    '5.7.139 Authentication unsuccessful, basic authentication is disabled',
    { kind: 'credential_refused' },
  ],
  ['auth', 534, '5.7.9 Application-specific password required', { kind: 'credential_refused' }],
  ['auth', 454, '4.7.0 Temporary authentication failure', { kind: 'later', restsLane: true }],
  [
    'mail',
    550,
    '5.7.30 Basic authentication is not supported for Client Submission',
    { kind: 'credential_refused' },
  ],
  ['mail', 530, '5.7.57 Client not authenticated to send mail', { kind: 'credential_refused' }],
  ['mail', 553, '5.7.1 Sender address rejected: not owned by user', { kind: 'mail_refused' }],
  ['mail', 450, '4.7.1 Too many mails from this account', { kind: 'later', restsLane: true }],
  ['rcpt', 550, '5.1.1 No such user', { kind: 'recipient_refused' }],
  ['rcpt', 553, 'No such user', { kind: 'recipient_refused' }],
  ['rcpt', 550, '5.7.1 Relaying denied', { kind: 'mail_refused' }],
  ['rcpt', 450, '4.2.0 Greylisted', { kind: 'later', restsLane: false }],
  ['rcpt', 452, '4.2.2 Mailbox full', { kind: 'later', restsLane: false }],
  ['dot', 554, '5.7.1 Spam message rejected', { kind: 'mail_refused' }],
  ['dot', 550, '5.1.1 No such user', { kind: 'recipient_refused' }],
  ['dot', 451, '4.3.0 Try again', { kind: 'later', restsLane: false }],
  ['dot', 421, '4.3.2 Shutting down', { kind: 'later', restsLane: true }],
];

test('each reply has its outcome by stage and code', async () => {
  await using fake = await startSmtpFake();
  for (const [at, code, message, outcome] of replies) {
    fake.replies.push({ at, code, message });
    const got = await send(fake);
    expect(got, `${at} ${code} ${message}`).toMatchObject({ ...outcome, reason: `${code} ${message}` });
    expect(fake.replies).toEqual([]);
  }
  expect(fake.mails).toEqual([]);
});

test('a connection that breaks before the final dot was sent is repeated, one that breaks after it is uncertain', async () => {
  await using fake = await startSmtpFake();
  await using proxy = await startCuttingProxy(fake.port);
  const sendOverNew = async (): Promise<SendOutcome> => {
    await using context = createTestContext({ port: proxy.port, baseUrl: '' });
    return await smtp.send(exampleMail(), credentialFor(proxy), context);
  };
  expect(await sendOverNew()).toMatchObject({ kind: 'sent' });
  const replyBytes = proxy.passed.to_client;
  for (const [afterBytes, kind] of [
    [5, 'later'],
    [replyBytes - 130, 'later'],
    [replyBytes - 10, 'uncertain'],
  ] as const) {
    proxy.cut = { side: 'to_client', afterBytes };
    expect(await sendOverNew(), String(afterBytes)).toMatchObject({ kind });
  }
});

test.each(['MAIL', 'RCPT', 'DATA'])(
  'a server that breaks the connection at %s has not taken the mail, however slow it is',
  async (step) => {
    const replies: Record<string, string> = { EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '235 Accepted' };
    const server = createServer((socket) => {
      socket.write('220 mail.test ESMTP\r\n');
      socket
        .on('error', () => undefined)
        .on('data', (line) => {
          const command = line.toString().slice(0, 4);
          // In this time the mail is made.
          if (command === step) setTimeout(() => socket.destroy(), 100);
          else socket.write(`${replies[command] ?? '250 Ok'}\r\n`);
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using context = createTestContext({ port, baseUrl: '' });
    expect(await smtp.send(exampleMail(), credentialFor({ port }), context)).toMatchObject({ kind: 'later' });
    server.close();
  },
);

test('the second mail over a connection is never lost or sent twice, wherever that connection breaks', async () => {
  await using fake = await startSmtpFake();
  /** Sends two mails, and breaks the connection so many bytes after the first one. */
  const sendTwo = async (cut?: Cut): Promise<{ outcome: SendOutcome; arrived: number; bytes: number[] }> => {
    await using proxy = await startCuttingProxy(fake.port);
    await using context = createTestContext({ port: proxy.port, baseUrl: '' });
    proxy.cut = cut;
    const [first, second] = [exampleMail(), exampleMail()];
    expect(await smtp.send(first, credentialFor(proxy), context)).toMatchObject({ kind: 'sent' });
    const before = { ...proxy.passed };
    proxy.cut = undefined;
    const outcome = await smtp.send(second, credentialFor(proxy), context);
    const arrived = fake.mails.filter(({ headers }) => headers['message-id'] === second.messageId).length;
    const { to_server: sent, to_client: got } = proxy.passed;
    return { outcome, arrived, bytes: [before.to_server, before.to_client, sent, got] };
  };
  const { bytes, outcome } = await sendTwo();
  expect(outcome.kind).toBe('sent');
  // One sign-in for both.
  expect(fake.requests).toHaveLength(1);
  const cuts = (['to_server', 'to_client'] as const).flatMap((side, index) => {
    const [from, until] = [bytes[index]!, bytes[index + 2]!];
    const steps = [0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97];
    // The replies to the first mail may be some bytes longer.
    return steps.map((part) => ({ side, afterBytes: from + 5 + Math.floor((until - from - 5) * part) }));
  });
  const ends = await Promise.all(cuts.map((cut) => sendTwo(cut)));
  const arrivedMax = { sent: [1, 1], later: [0, 0], uncertain: [0, 1] } as Record<string, [number, number]>;
  for (const [index, { outcome: end, arrived }] of ends.entries()) {
    const [least, most] = arrivedMax[end.kind]!;
    expect([arrived >= least, arrived <= most], JSON.stringify([cuts[index], end, arrived])).toEqual([
      true,
      true,
    ]);
  }
  // A mail that was cut on its way to the server is `later`, or `uncertain` when a busy machine has passed all of it to the socket before.
  expect(ends.map(({ outcome: end }) => end.kind)).toEqual(expect.arrayContaining(['sent', 'uncertain']));
});

test('a server that closed an idle connection gets the next mail over a new one', async () => {
  await using fake = await startSmtpFake();
  await using context = createTestContext(fake);
  const send = () => smtp.send(exampleMail(), credentialFor(fake), context);
  expect(await send()).toMatchObject({ kind: 'sent' });
  fake.disconnect();
  expect(await send()).toMatchObject({ kind: 'sent' });
  expect([fake.mails.length, fake.requests.length]).toEqual([2, 2]);
});

test('a silent server delays a mail no longer than the caller waits', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const caller = new AbortController();
  await using context = createTestContext({ port, baseUrl: '' }, { signal: caller.signal });
  server.once('connection', () => caller.abort());
  expect(await smtp.send(exampleMail(), credentialFor({ port }), context)).toMatchObject({ kind: 'later' });
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a TLS connection that breaks or is stopped at any step of its handshake gives an outcome', async () => {
  for (const security of ['starttls', 'tls'] as const) {
    await using fake = await startSmtpFake({ security });
    await using proxy = await startCuttingProxy(fake.port);
    for (const side of ['to_server', 'to_client'] as const)
      for (const afterBytes of [0, 20, 100, 300, 700]) {
        proxy.cut = { side, afterBytes };
        await using context = createTestContext({ port: proxy.port, baseUrl: '' }, { addresses });
        const credential = credentialFor(proxy, { host: 'receiver.test', security });
        const outcome = await smtp.send(exampleMail(), credential, context);
        expect(outcome.kind, `${security} ${side} ${afterBytes}`).toBe('later');
        expect(await smtp.verify(credential, context)).toMatchObject({ kind: 'unreachable' });
      }
    // Stopped by the caller, when the first bytes of each step have passed.
    proxy.cut = undefined;
    for (const bytes of [1, 20, 100, 300, 700]) {
      const caller = new AbortController();
      proxy.onBytes = (passed) => passed >= bytes && caller.abort();
      const options = { addresses, signal: caller.signal };
      await using context = createTestContext({ port: proxy.port, baseUrl: '' }, options);
      const credential = credentialFor(proxy, { host: 'receiver.test', security });
      expect(await smtp.verify(credential, context)).toMatchObject({ kind: 'unreachable' });
      const second = new AbortController();
      proxy.onBytes = (passed) => passed >= bytes && second.abort();
      await using other = createTestContext(
        { port: proxy.port, baseUrl: '' },
        { addresses, signal: second.signal },
      );
      expect(await smtp.send(exampleMail(), credential, other)).toMatchObject({ kind: 'later' });
    }
    expect(fake.mails).toEqual([]);
  }
});

test('the end of a short password is not shown', () => {
  const last4 = (password: string): string => smtp.last4(credentialFor({ port: 587 }, { password }));
  expect([last4('hunter2-hunter2'), last4('hunter2-hunter2-x')]).toEqual(['', 'r2-x']);
});

test('Microsoft 365 has a note about its end of passwords, other servers have none', () => {
  const note = (host: string): string | undefined => smtp.note!(credentialFor({ port: 587 }, { host }));
  for (const host of [
    'smtp.office365.com',
    'SMTP.Office365.com',
    'outlook.office365.com',
    'smtp-mail.outlook.com',
  ])
    expect(note(host), host).toContain('550 5.7.30');
  for (const host of ['smtp.gmail.com', 'office365.com.example', 'notoffice365.com'])
    expect(note(host), host).toBeUndefined();
});
