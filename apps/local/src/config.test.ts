import { expect, test } from 'vitest';
import { readLocalConfig } from './config.ts';
import { describeAccess } from './welcome.ts';

test('npm start listens on this machine only, with open sign-up and webhooks to loopback', () => {
  const config = readLocalConfig({});
  expect(config).toMatchObject({
    hosts: ['localhost'],
    baseUrl: 'http://localhost:3000',
    signUp: 'open',
    webhookAllowedCidrs: '127.0.0.0/8,::1/128',
    webhookAllowHttp: 'true',
  });
  expect(describeAccess(config)).toBe(
    [
      '  Listens on  localhost, port 3000: this machine only',
      '  Sign-up     open: anyone who can reach this service can create an account',
      '  Webhooks    http and https; private addresses: 127.0.0.0/8, ::1/128',
      '  Metrics     this machine only',
    ].join('\n'),
  );
});

test('a host that other machines reach takes the loopback allowance away unless it is named', () => {
  for (const HOST of ['0.0.0.0', '::', '192.0.2.2', '127.0.0.1,192.0.2.2', 'webinars.internal']) {
    const config = readLocalConfig({ HOST });
    expect(config.webhookAllowedCidrs, HOST).toBe('');
    expect(describeAccess(config)).toMatch(/other machines too.*\n.*\n.*no private addresses/);
    expect(readLocalConfig({ HOST, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }).webhookAllowedCidrs).toBe(
      '127.0.0.0/8',
    );
  }
  for (const HOST of ['127.0.0.1', '::1', 'localhost', '127.0.0.1, ::1', ''])
    expect(readLocalConfig({ HOST }).webhookAllowedCidrs, HOST).toBe('127.0.0.0/8,::1/128');
});

test('mails go to the mailbox only with the built-in PostgreSQL and without a mail server', () => {
  expect(readLocalConfig({}).hasMailbox).toBe(true);
  expect(readLocalConfig({ DATABASE_URL: 'postgres://app@127.0.0.1/app' }).hasMailbox).toBe(false);
  const smtp = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'hooks@example.com' };
  expect(readLocalConfig(smtp).hasMailbox).toBe(false);
});

test('an empty allowance means none', () => {
  const config = readLocalConfig({ WEBHOOK_ALLOWED_CIDRS: '', WEBHOOK_ALLOW_HTTP: '' });
  expect(config).toMatchObject({ webhookAllowedCidrs: '', webhookAllowHttp: '' });
  expect(describeAccess(config)).toContain('Webhooks    https only; no private addresses');
});

test('the address to open follows the host', () => {
  const baseUrlOf = (variables: Record<string, string>) => readLocalConfig(variables).baseUrl;
  expect(baseUrlOf({ HOST: '0.0.0.0' })).toBe('http://localhost:3000');
  expect(baseUrlOf({ HOST: '127.0.0.1' })).toBe('http://localhost:3000');
  expect(baseUrlOf({ HOST: 'fd00::2', PORT: '4000' })).toBe('http://[fd00::2]:4000');
  expect(baseUrlOf({ HOST: '192.0.2.2', BASE_URL: 'https://webinars.example.com/' })).toBe(
    'https://webinars.example.com',
  );
});

test('sign-up, the host and the token of the metrics are checked before anything starts', () => {
  expect(readLocalConfig({ SIGN_UP: 'closed' }).signUp).toBe('closed');
  expect(() => readLocalConfig({ SIGN_UP: 'anyone', HOST: 'http://x:3000', METRICS_TOKEN: 'short' })).toThrow(
    /^(?=[^]*SIGN_UP:)(?=[^]*HOST: a comma list)(?=[^]*METRICS_TOKEN: 16 to 256)/,
  );
});

test('a direct connection beside a pooler needs the URL of the pooler', () => {
  const url = 'postgres://app@127.0.0.1/app';
  expect(() => readLocalConfig({ DATABASE_SESSION_URL: url })).toThrow(
    'DATABASE_SESSION_URL: needs DATABASE_URL',
  );
  expect(readLocalConfig({ DATABASE_URL: url, DATABASE_SESSION_URL: url })).toMatchObject({
    databaseSessionUrl: url,
  });
});
