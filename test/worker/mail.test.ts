import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createMailer, type Mailer } from '@service/mail';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { startSmtpInbox } from './smtp-inbox.ts';

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Grüße,\n.\nand a line of a dot' };

function mailerTo(
  smtpUrl: string,
  { deadlineMs = 20_000, lines = [] }: { deadlineMs?: number; lines?: string[] } = {},
): Mailer & Disposable {
  const log = createLog('test', { destination: { write: (line) => void lines.push(line) } });
  const mailer = createMailer({ smtpUrl, from: 'Acme, Webinars <hooks@example.com>', log, deadlineMs });
  return { ...mailer, [Symbol.dispose]: () => mailer.close() };
}

test('a mail arrives unchanged, over a reused connection', async () => {
  let connections = 0;
  await using inbox = await startSmtpInbox({
    onConnect(_session, done) {
      connections += 1;
      done();
    },
  });
  using mailer = mailerTo(inbox.url);
  await mailer.send(mail);
  await mailer.send({ ...mail, to: 'eve@example.com' });
  expect(connections).toBe(1);
  expect(inbox.received.map(({ to }) => to)).toEqual([['ada@example.com'], ['eve@example.com']]);
  const { headers, text } = inbox.received[0]!;
  expect(text.trimEnd()).toBe(mail.text);
  expect(headers).toMatch(/^From: "Acme, Webinars" <hooks@example.com>$/m);
  expect(headers).toMatch(/^To: ada@example.com$/m);
  expect(headers).toMatch(/^Subject: Hello$/m);
  expect(headers).toMatch(/^Auto-Submitted: auto-generated$/m);
});

test('HTML, a calendar object and the id of a mail arrive', async () => {
  await using inbox = await startSmtpInbox();
  using mailer = mailerTo(inbox.url);
  const calendar = { content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', method: 'CANCEL' as const };
  await mailer.send({ ...mail, html: '<p>Hello</p>', calendar, messageId: '<1@example.com>' });
  const [{ headers, message }] = inbox.received as [(typeof inbox.received)[number]];
  expect(headers).toMatch(/^Message-ID: <1@example.com>$/m);
  expect(message).toMatch(/^Content-Type: text\/html/m);
  expect(message).toMatch(/^Content-Type: text\/calendar;.* method=CANCEL/m);
  expect(message).toMatch(/filename=invite\.ics/);
});

test('a line break in a subject adds no header, and a line break or a second address in an address adds no recipient', async () => {
  await using inbox = await startSmtpInbox();
  using mailer = mailerTo(inbox.url);
  await mailer.send({ ...mail, subject: 'Paused\r\nBcc: eve@example.com\nX-Evil: 1' });
  const [{ headers, to }] = inbox.received as [(typeof inbox.received)[number]];
  expect(headers).toMatch(/^Subject: Paused Bcc: eve@example.com X-Evil: 1$/m);
  expect(headers).not.toMatch(/^(Bcc|X-Evil):/im);
  expect(to).toEqual(['ada@example.com']);
  for (const bad of [
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com>\r\nRCPT TO:<eve@example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
  ])
    await expect(mailer.send({ ...mail, to: bad }), bad).rejects.toThrow('one plain e-mail address');
  expect(inbox.received).toHaveLength(1);
});

test('the password is in no error and in no log, even if the server repeats it', async () => {
  const lines: string[] = [];
  const [user, password] = ['hooks', 'correct/horse@battery'];
  await using inbox = await startSmtpInbox({
    onAuth({ username, password: given }, _session, done) {
      const line = Buffer.from(`\u0000${username}\u0000${given}`).toString('base64');
      const message = `Bad login ${username}:${given} in ${line} or ${btoa(given!)}`;
      done(Object.assign(new Error(message), { responseCode: 535 }));
    },
  });
  const address = inbox.url.replace('//', `//${user}:${encodeURIComponent(password)}@`);
  using mailer = mailerTo(address, { lines });
  const error = await mailer.send(mail).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'MailError', code: 'EAUTH', replyCode: 535 });
  createLog('test', { destination: { write: (line) => void lines.push(line) } }).error({ err: error });
  const said = [...lines, (error as Error).stack, JSON.stringify(error)].join('\n');
  expect(said).toContain('Bad login hooks:***');
  const encoded = [`\u0000${user}\u0000${password}`, password].map((text) => btoa(text));
  for (const form of [password, encodeURIComponent(password), ...encoded]) expect(said).not.toContain(form);
});

test('a server that refuses a recipient is an error with its reply code, and the next mail goes out', async () => {
  await using inbox = await startSmtpInbox({
    onRcptTo({ address }, _session, done) {
      if (address === 'gone@example.com')
        done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      else done();
    },
  });
  using mailer = mailerTo(inbox.url);
  await expect(mailer.send({ ...mail, to: 'gone@example.com' })).rejects.toMatchObject({
    name: 'MailError',
    replyCode: 550,
  });
  await mailer.send(mail);
  expect(inbox.received).toHaveLength(1);
});

test('a server that sends no greeting, or sends it slowly, delays a mail no longer than the deadline', async () => {
  const greetings = [undefined, '2', '220-still here\r\n'];
  for (const drip of greetings) {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      const timer = setInterval(() => drip !== undefined && socket.write(drip), 20);
      socket.on('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    using mailer = mailerTo(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      deadlineMs: 300,
    });
    await expect(mailer.send(mail)).rejects.toThrow('Message sending aborted');
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});
