// The DNS records of From domains, asked from a DNS server of the test.
import { createId } from '@service/database';
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { startDnsServer, type Zone } from '../support/dns-server.ts';
import { insertConnection } from './connection-rows.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = `k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`;

const zone: Zone = {
  'send.resend.com': {
    TXT: ['v=spf1 include:amazonses.com ~all'],
    MX: ['10 feedback-smtp.eu-west-1.amazonses.com'],
  },
  'amazonses.com': { TXT: ['v=spf1 ip4:199.255.192.0/22 -all'] },
  'resend._domainkey.resend.com': { TXT: [key] },
  '_dmarc.resend.com': { TXT: ['v=DMARC1; p=reject; aspf=s'] },
  'resend.com': { MX: ['20 b.mx.com', '10 a.mx.com'], TXT: ['private=do-not-show'] },

  '_dmarc.postmark.co.uk': { TXT: ['v=DMARC1; p=reject; sp=quarantine; pct=20'] },
  'mail.postmark.co.uk': { MX: ['0 .'] },

  's1._domainkey.sendgrid.com': { CNAME: 's1.domainkey.u1.wl2.sendgrid.net' },
  's1.domainkey.u1.wl2.sendgrid.net': { TXT: [key] },
  's2._domainkey.sendgrid.com': { CNAME: 's2.domainkey.u1.wl2.sendgrid.net' },
  '_dmarc.sendgrid.com': { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] },

  'brevo1._domainkey.sub.brevo.com': { CNAME: 'b1.sub-brevo-com.dkim.brevo.com' },
  'b1.sub-brevo-com.dkim.brevo.com': { TXT: [key] },
  'brevo2._domainkey.sub.brevo.com': { CNAME: 'b2.other-com.dkim.brevo.com' },

  'server.com': { TXT: ['v=spf1 mx -all', 'v=spf1 ~all'] },

  'google.com': { TXT: [`v=spf1 include:_spf.many.com ~all`] },
  '_spf.many.com': { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] },
  'hostile.com': {
    TXT: [
      `v=spf1 ${Array.from({ length: 20 }, (_unused, index) => `include:${index}.hostile.com`).join(' ')}`,
    ],
    MX: [`10 \u0007<b>x\u202E.com`],
  },
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_unused, index) => [
      `${index}.hostile.com`,
      { TXT: [`v=spf1 include:${index}.deep.com include:127.0.0.1 -all`] },
    ]),
  ),
};

interface Check {
  subject: string;
  state: string;
  text: string;
  found: { host: string; type: string; value: string }[];
  add: { host: string; type: string; value: string | null }[];
}

interface Given {
  provider: string;
  address: string;
  credential?: object;
}

test('each sender is compared with the records that it needs, and DNS is asked only for public names, once in five minutes', async () => {
  await using dns = await startDnsServer(zone);
  await using service = await testApi({ options: { dnsServers: [dns.address] } });
  const account = await createTestAccount(service);
  const owner = await openDashboard(service, account);
  const add = async ({ provider, address, credential = {} }: Given): Promise<string> => {
    const id = await insertConnection(service, account.accountId);
    await service.db.database.pool.query(
      'update connections.connection set provider = $2, settings = $3, sealed_credential = $4 where id = $1',
      [
        id,
        provider,
        JSON.stringify({ from: { name: '', address }, replyTo: null, baseUrl: null }),
        service.api.service.connections.seal(credential, { id, credentialVersion: 1 }),
      ],
    );
    return id;
  };
  const report = (connectionId: string, isFresh = false) =>
    owner.query('connections.domain', { connectionId, isFresh });
  const check = async (given: Given) => {
    const { checks, ...rest } = await report(await add(given));
    const by = Object.fromEntries(checks.map((one: Check) => [one.subject, one])) as Record<string, Check>;
    const states = Object.fromEntries(checks.map((one: Check) => [one.subject, one.state]));
    return { ...rest, by, states } as {
      notes: string[];
      by: Record<string, Check>;
      states: Record<string, string>;
    };
  };
  const smtp = (host: string, address: string): Given => ({
    provider: 'smtp',
    address,
    credential: { host, port: 587, username: 'ada', password: 'secret' },
  });

  const resend = await check({
    provider: 'resend',
    address: 'ada@resend.com',
    credential: { key: 're_12345678' },
  });
  expect(resend.states).toEqual({
    spf: 'fits',
    dkim: 'fits',
    return_path: 'fits',
    dmarc: 'fits',
    mx: 'fits',
  });
  expect(resend.by['spf']!.text).toBe('The record includes amazonses.com. It needs 1 of 10 look-ups.');
  expect(resend.by['dkim']!.found).toEqual([
    { host: 'resend._domainkey.resend.com', type: 'TXT', value: 'RSA key, 2048 bits' },
  ]);
  expect(resend.by['dmarc']!.text).toContain('With aspf=s the SPF of send.resend.com does not count');
  expect(resend.by['mx']!.found.map(({ value }) => value)).toEqual(['10 a.mx.com', '20 b.mx.com']);
  expect(JSON.stringify(resend)).not.toContain('do-not-show');

  const postmark = await check({
    provider: 'postmark',
    address: 'ada@mail.postmark.co.uk',
    credential: { token: '00000000-0000', stream: 'outbound' },
  });
  expect(postmark.states).toEqual({
    spf: 'not_needed',
    dkim: 'not_checked',
    return_path: 'missing',
    dmarc: 'fits',
    mx: 'wrong',
  });
  expect(postmark.by['return_path']!.add).toEqual([
    { host: 'pm-bounces.mail.postmark.co.uk', type: 'CNAME', value: 'pm.mtasv.net' },
  ]);
  expect(postmark.by['dmarc']!.text).toBe(
    'E-mails that fail go to spam for 20 % of them (p=quarantine). The record of postmark.co.uk applies.',
  );

  const sendgrid = await check({
    provider: 'sendgrid',
    address: 'ada@sendgrid.com',
    credential: { key: 'SG.12345678', region: 'global' },
  });
  expect(sendgrid.states).toMatchObject({
    spf: 'not_needed',
    dkim: 'wrong',
    return_path: 'not_checked',
    dmarc: 'wrong',
    mx: 'missing',
  });
  expect(sendgrid.by['dkim']!.text).toMatch(
    /^s2\._domainkey\.sendgrid\.com points to s2\.\S+, which has no key\. Copy the values from SendGrid/,
  );
  expect(sendgrid.by['dkim']!.add).toEqual([
    { host: 's2._domainkey.sendgrid.com', type: 'CNAME', value: null },
  ]);

  const brevo = await check({
    provider: 'brevo',
    address: 'ada@sub.brevo.com',
    credential: { key: 'xkeysib-1' },
  });
  expect(brevo.states).toEqual({ spf: 'not_needed', dkim: 'wrong', dmarc: 'missing', mx: 'missing' });
  expect(brevo.by['dkim']!.add).toEqual([
    { host: 'brevo2._domainkey.sub.brevo.com', type: 'CNAME', value: 'b2.sub-brevo-com.dkim.brevo.com' },
  ]);
  expect(brevo.by['dmarc']!.add).toEqual([
    { host: '_dmarc.brevo.com', type: 'TXT', value: 'v=DMARC1; p=none' },
  ]);

  const server = await check(smtp('smtp.server.com', 'ada@server.com'));
  expect(server.states).toEqual({ spf: 'wrong', dkim: 'not_checked', dmarc: 'missing', mx: 'missing' });
  expect(server.by['spf']!.found).toHaveLength(2);

  const google = await check(smtp('smtp-relay.gmail.com', 'ada@google.com'));
  expect(google.states).toMatchObject({ spf: 'wrong', dkim: 'not_checked' });
  expect(google.by['spf']!.add).toEqual([
    { host: 'google.com', type: 'TXT', value: 'v=spf1 include:_spf.google.com include:_spf.many.com ~all' },
  ]);

  const hostile = await check(smtp('smtp.hostile.com', 'ada@hostile.com'));
  expect(hostile.states).toMatchObject({ spf: 'wrong' });
  expect(JSON.stringify(hostile)).not.toMatch(/\\u0007|\u202E/);
  expect(dns.questions.filter((question) => question.includes('hostile.com')).length).toBeLessThan(20);
  expect(dns.questions).not.toContain('TXT 127.0.0.1');

  const before = dns.questions.length;
  const free = await check(smtp('smtp.gmail.com', 'ada@gmail.com'));
  expect(free).toMatchObject({ states: {}, notes: [expect.stringContaining('gmail.com belongs to Gmail')] });
  const internal = await check(smtp('smtp.office365.com', 'ada@vault.corp.internal'));
  expect(internal.states).toEqual({});
  expect(internal.notes).toEqual([
    expect.stringContaining('Microsoft'),
    expect.stringContaining('not a public domain'),
  ]);
  const [{ id }] = await owner.query('connections.list', {});
  expect(await report(id, true)).toEqual(await report(id));
  expect(dns.questions).toHaveLength(before);

  const stranger = await openDashboard(service, await createTestAccount(service));
  for (const connectionId of [id, createId()])
    expect(await refusalOf(stranger.query('connections.domain', { connectionId }))).toBe(
      'connection_not_found',
    );
});

test('without an answer of DNS the report ends in seconds and says so', async () => {
  await using dns = await startDnsServer({ 'example.com': ['silence'], 'send.example.com': ['silence'] });
  await using service = await testApi({ options: { dnsServers: [dns.address] } });
  const account = await createTestAccount(service);
  const owner = await openDashboard(service, account);
  const connectionId = await insertConnection(service, account.accountId);
  const startedAt = performance.now();
  const [one, other] = await Promise.all([
    owner.query('connections.domain', { connectionId }),
    owner.query('connections.domain', { connectionId, isFresh: true }),
  ]);
  expect(performance.now() - startedAt).toBeLessThan(7000);
  expect(other).toEqual(one);
  const states = one.checks.map(({ subject, state }: Check) => `${subject} ${state}`);
  expect(states).toEqual([
    'spf unanswered',
    'dkim missing',
    'return_path unanswered',
    'dmarc missing',
    'mx unanswered',
  ]);
  expect(dns.questions.filter((question) => question === 'MX example.com').length).toBeLessThan(4);
});
