import { createLog } from '@service/log';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { startSmtpInbox } from '../worker/smtp-inbox.ts';
import { addressHeader, Browser, password, startAccounts, type AccountsServer } from './accounts-server.ts';
import { startMailWorld, tokenOf } from './mail-world.ts';

const owner = { name: 'Acme', ownerName: 'Ada', ownerEmail: 'ada@example.com', ownerPassword: password };
const newPassword = 'another horse battery';

const request = (server: AccountsServer, email: string, address?: string) =>
  server.browser(address).post('/api/auth/password-reset/request', { email });
const reset = (server: AccountsServer, token: string) =>
  server.browser().post('/api/auth/password-reset', { token, newPassword });

test('a link in the mail changes the password once, ends all sessions, and unknown addresses get the same answer and no mail', async () => {
  await using world = await startMailWorld();
  const { server, readMails } = world;
  await server.accounts.createAccount(owner);
  const [known, unknown] = [server.browser(), server.browser()];
  await known.signIn(owner.ownerEmail);
  const shape = ({ status, body, headers }: Awaited<ReturnType<typeof request>>) => ({
    status,
    body,
    headers: [...headers.keys()].toSorted(),
  });
  const answers = [await request(server, 'ADA@example.com'), await request(server, 'eve@example.com')];
  expect(shape(answers[0]!)).toEqual(shape(answers[1]!));
  expect(answers[0]).toMatchObject({ status: 200, body: { status: 'check_mail' } });
  const mails = await readMails();
  expect(mails.map(({ to, subject }) => [...to, subject])).toEqual([
    ['ada@example.com', 'Choose a new password'],
  ]);
  const token = tokenOf(mails[0]!.links[0]);
  expect(mails[0]!.links[0]).toBe(`${server.baseUrl}/reset-password#${token}`);

  const { rows } = await server.database.pool.query('select * from accounts.mail_link');
  expect(rows).toMatchObject([{ token_hash: createHash('sha256').update(token).digest('base64url') }]);
  expect(JSON.stringify(rows)).not.toContain(token);

  const both = await Promise.all([reset(server, token), reset(server, token)]);
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 404]));
  expect((await known.get('/api/session')).body.user).toBeNull();
  expect((await unknown.signIn(owner.ownerEmail)).status).toBe(401);
  expect((await unknown.signIn(owner.ownerEmail, newPassword)).status).toBe(200);
  expect(server.failures).toEqual([]);
});

test('a link ends with a newer one, after half an hour, and with a change of the password', async () => {
  await using world = await startMailWorld();
  const { server, readMails } = world;
  await server.accounts.createAccount(owner);
  const ask = async () => {
    await request(server, owner.ownerEmail);
    return tokenOf((await readMails())[0]!.links[0]);
  };
  const [former, current] = [await ask(), await ask()];
  expect(await reset(server, former)).toMatchObject({ status: 404, body: { code: 'link_invalid' } });
  const later = `update accounts.mail_link set expires_at = expires_at - interval '30 minutes'`;
  await server.database.pool.query(later);
  expect((await reset(server, current)).status).toBe(404);

  const late = await ask();
  const browser = server.browser();
  await browser.signIn(owner.ownerEmail);
  await browser.post('/api/auth/change-password', {
    currentPassword: password,
    newPassword: 'yet another one',
  });
  expect((await reset(server, late)).status).toBe(404);
  for (const bad of ['', 'x'.repeat(43), { $ne: '' }])
    expect((await reset(server, bad as string)).status).toBeGreaterThanOrEqual(404);
});

test('mails are limited for an address, known or not, for a network and for the installation', async () => {
  await using server = await startAccounts({
    mail: 'smtp',
    signInLimit: { windowSeconds: 600, max: 10_000 },
    clientAddress: (req) => String(req.headers[addressHeader]),
  });
  await server.accounts.createAccount(owner);
  for (const email of [owner.ownerEmail, 'eve@example.com']) {
    const statuses: number[] = [];
    for (let sent = 0; sent < 6; sent += 1)
      statuses.push((await request(server, email, `203.0.113.${sent}`)).status);
    expect(statuses, email).toEqual([200, 200, 200, 200, 200, 429]);
  }
  const queued = async () =>
    (await server.database.pool.query('select from graphile_worker.jobs')).rowCount ?? 0;
  expect(await queued()).toBe(10);
  const statuses: number[] = [];
  for (let sent = 0; sent < 31; sent += 1)
    statuses.push((await request(server, `p${sent}@example.com`, '198.51.100.1')).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([30, 429]);
  await server.database.pool.query(
    `update accounts.sign_in_attempt set attempts = 1000 where attempts = (select max(attempts) from accounts.sign_in_attempt)`,
  );
  expect((await request(server, 'new@example.com', '192.0.2.1')).status).toBe(429);
});

test('without mail the page of a forgotten password has no route', async () => {
  await using server = await startAccounts();
  expect((await request(server, 'ada@example.com')).status).toBe(404);
  expect((await server.browser().get('/api/session')).body).toMatchObject({ mail: null });
});

test('no token is in a log or in the job queue, also when the mail server fails at first', async () => {
  const lines: string[] = [];
  const log = createLog('test', { level: 'trace', destination: { write: (line) => void lines.push(line) } });
  let refusals = 0;
  await using inbox = await startSmtpInbox({
    onMailFrom: (_address, _session, done) =>
      (refusals += 1) === 1 ? done(Object.assign(new Error('Try later'), { responseCode: 451 })) : done(),
  });
  const mail = { smtpUrl: inbox.url, from: 'hooks@example.com' };
  await using service = await testApi({ log, options: { mail } });
  const { pool } = service.db.database;
  const { email } = await createTestAccount(service);
  const browser = new Browser(service.baseUrl);
  await browser.post('/api/auth/password-reset/request', { email });
  const queued = await pool.query('select payload from graphile_worker._private_jobs');
  await using _worker = await testWorker(service.db.url, { mail, log, baseUrl: service.baseUrl });
  await eventually('the mail', () => inbox.received.length === 1);
  const token = tokenOf(/http:\S+/.exec(inbox.received[0]!.text)![0]);
  await browser.post('/api/auth/password-reset', { token, newPassword });
  expect(refusals).toBe(2);
  const said = [...lines, JSON.stringify(queued.rows)].join('\n');
  expect(said).toContain('accounts.send_mail');
  for (const secret of [token, createHash('sha256').update(token).digest('base64url'), newPassword])
    expect(said).not.toContain(secret);
});
