import { once } from 'node:events';
import { request } from 'node:http';
import { createMailbox, sendMailJob } from '@service/mails';
import { environment, mailSettings, readConfig } from '@service/config';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { ownAddress } from '../support/own-address.ts';
import { testWorker } from '../support/worker.ts';

let service: TestApi;

beforeAll(async () => {
  service = await testApi({ options: { mail: 'mailbox', hosts: ['0.0.0.0'] } });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Reach {
  headers?: Record<string, string>;
  /** The address to which the socket connects. */
  address?: string;
}

/** `fetch` sets the Host header by itself. */
async function get({ baseUrl }: TestApi, path: string, { headers = {}, address }: Reach = {}) {
  const { port } = new URL(baseUrl);
  const sent = request({ host: address ?? '127.0.0.1', port, path, headers }).end();
  const [answer] = await once(sent, 'response');
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  const { statusCode: status, headers: received } = answer;
  return { status, headers: received, body, policy: String(received['content-security-policy']) };
}

const mailboxOf = ({ api, db }: TestApi) =>
  createMailbox({ database: db.database, secretBox: api.service.secretBox });

const hostile = {
  to: 'ada@example.com',
  subject: 'Join <script>alert(1)</script>',
  text: 'Open </pre><script>alert(2)</script>\nhttps://example.com/join?a=1&b="2\n',
  html: '<p style="color:red">Hello</p><script>alert(3)</script>',
  calendar: { content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', method: 'REQUEST' as const },
  messageId: '<1@example.com>',
};

test('an empty mailbox says what will appear, and a queued mail appears in it', async () => {
  const empty = await get(service, '/mail');
  expect(empty.body).toContain('No mails yet. Links to reset a password');
  await using _worker = await testWorker(service.db.url, { mail: 'mailbox' });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const mail = { to: 'ada@example.com', subject: 'Of the queue', text: 'Hello', until };
  await service.api.service.jobs.enqueueNow(sendMailJob, mail);
  await eventually('the mail', async () => (await get(service, '/mail')).body.includes(mail.subject));
});

test('the text of a mail runs nothing, its HTML is a document of its own without scripts, and its calendar file is a download', async () => {
  const mailbox = mailboxOf(service);
  await mailbox.send(hostile);
  const { id } = (await mailbox.list())[0]!;
  const list = await get(service, '/mail');
  const page = await get(service, `/mail/${id}`);
  for (const { body, policy, headers } of [list, page]) {
    expect(body).not.toContain('<script');
    expect(body).toContain('href="https://example.com/join?a=1&amp;b="');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-src 'self';/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
  expect(page.body).toContain(`<iframe sandbox title="The mail as HTML" src="/mail/${id}/html">`);
  const html = await get(service, `/mail/${id}/html`);
  expect(html.body).toBe(hostile.html);
  expect(html.policy).toMatch(/^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
  const { headers, body } = await get(service, `/mail/${id}/invite.ics`);
  expect(body).toBe(hostile.calendar.content);
  expect(headers['content-disposition']).toBe('attachment; filename=invite.ics');
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
});

test('for another host name, behind a proxy, from another machine and for unknown mails the page does not exist', async () => {
  await mailboxOf(service).send(hostile);
  const { id } = (await mailboxOf(service).list())[0]!;
  const { port } = new URL(service.baseUrl);
  const refused = async (path: string, reach: Reach) => {
    const answer = await get(service, path, reach);
    expect(answer.status, JSON.stringify(reach)).toBe(404);
    expect(answer.body).not.toMatch(/Join|Mailbox|VCALENDAR|Hello/);
  };
  const hosts = [
    'evil.example.com',
    'localhost.example.com',
    `127.0.0.1.nip.io:${port}`,
    'localhost@evil.com',
  ];
  const forwarded = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Anything', 'Forwarded', 'Via'];
  for (const path of ['/mail', `/mail/${id}`, `/mail/${id}/html`, `/mail/${id}/invite.ics`]) {
    for (const host of hosts) await refused(path, { headers: { host } });
    for (const name of [...forwarded, 'X-Real-IP', 'CF-Connecting-IP', 'CF-Ray', 'True-Client-IP'])
      await refused(path, { headers: { host: `localhost:${port}`, [name]: '127.0.0.1' } });
    const address = ownAddress();
    if (address !== undefined) await refused(path, { address, headers: { host: `localhost:${port}` } });
  }
  await refused('/mail/1', {});
  await refused('/mail/019aa200-0000-7000-8000-000000000000', {});
  for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]:80'])
    expect((await get(service, '/mail', { headers: { host } })).body).toContain('Mailbox');
});

test('an installation with a mail server, or with nothing set, has no mailbox', async () => {
  await mailboxOf(service).send(hostile);
  for (const mail of [undefined, { smtpUrl: 'smtp://127.0.0.1:9', from: 'hooks@example.com' }]) {
    await using other = await testApi({ shared: service.db, options: { mail } });
    expect(await get(other, '/mail')).toMatchObject({
      status: 404,
      body: expect.not.stringMatching(/Mailbox|Join/),
    });
  }
});

test('the mailbox needs a value that only npm start gives its own processes, and no mail server', () => {
  const settings = (variables: Record<string, string>, parentId = 77) =>
    mailSettings(
      readConfig(environment.pick({ SMTP_URL: true, MAIL_FROM: true, LOCAL_MAILBOX: true }), variables),
      parentId,
    );
  expect(settings({ LOCAL_MAILBOX: '77' })).toBe('mailbox');
  expect(settings({ LOCAL_MAILBOX: '78' })).toBeUndefined();
  expect(settings({})).toBeUndefined();
  const smtp = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'hooks@example.com' };
  expect(settings({ ...smtp, LOCAL_MAILBOX: '77' })).toEqual({
    smtpUrl: 'smtp://mail.example.com',
    from: 'hooks@example.com',
  });
});

test('the newest 200 mails are kept, sealed, and a mail to two addresses or without an end is refused', async () => {
  const mailbox = mailboxOf(service);
  for (let sent = 0; sent < 201; sent += 1) await mailbox.send({ ...hostile, subject: `Mail ${sent}` });
  const mails = await mailbox.list();
  expect([mails.length, mails[0]?.subject, mails.at(-1)?.subject]).toEqual([200, 'Mail 200', 'Mail 1']);
  const { rows } = await service.db.database.pool.query('select * from mails.mailbox_mail');
  expect(rows).toHaveLength(200);
  expect(JSON.stringify(rows)).not.toMatch(/ada@example|Mail 1|join/);
  await expect(mailbox.send({ ...hostile, to: 'a@example.com, b@example.com' })).rejects.toThrow('one plain');
  await expect(mailbox.send({ ...hostile, text: 'x'.repeat(600_000) })).rejects.toThrow('too long');
});
