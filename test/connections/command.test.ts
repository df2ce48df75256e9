// The operator's command that connects an account to its e-mail provider.
import { serviceCommands } from '@service/composition';
import { readCommandLine } from '@service/config';
import type { AppError } from '@service/errors';
import { createId } from '@service/database';
import { openAdmin } from '@service/local';
import { createSecret } from '@service/signing';
import { expect } from 'vitest';
import { testEncryptionKey, type TestApi } from '../support/api.ts';
import { startSmtpInbox } from '../worker/smtp-inbox.ts';
import { test } from './connections-world.ts';
import { newKey } from './mail-provider.ts';

/** Runs the command as the program does, on the database of the test. */
async function admin(service: TestApi, ...command: string[]): Promise<Record<string, string>> {
  const { run, options } = serviceCommands['connection']!;
  const { values } = readCommandLine(command, { options })!;
  const parts = await openAdmin({
    DATABASE_URL: service.db.url,
    ENCRYPTION_KEY: testEncryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  });
  try {
    return (await run(parts, values)) as Record<string, string>;
  } finally {
    await parts.close();
  }
}

test('the command connects a provider, takes its first verified domain, and replaces the key', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const run = (...command: string[]) => admin(service, '--account', account.accountId, ...command);
  const made = await run('--provider', 'resend', '--key', provider.key, '--base-url', provider.url);
  expect(made).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    provider: 'resend',
    kind: 'mail',
    state: 'connected',
  });
  const [connection] = await owner.query('connections.list', {});
  expect(connection.settings.from).toEqual({ name: '', address: 'webinars@example.com' });
  provider.key = newKey();
  expect(await run('--id', made['id']!, '--key', provider.key)).toEqual(made);
  expect(provider.requests).toHaveLength(2);
  expect((await owner.query('connections.changes', {})).map(({ kind }: { kind: string }) => kind)).toEqual([
    'credential_replaced',
    'connected',
  ]);
  const reportSecret = createSecret();
  expect(await run('--id', made['id']!, '--report-secret', reportSecret)).toEqual(made);
  expect((await owner.query('connections.list', {}))[0].reports).toEqual({
    state: 'read',
    secretLast4: reportSecret.slice(-4),
  });
  expect(provider.requests).toHaveLength(2);
});

test('the command signs in to an SMTP server before it saves its address', async ({
  service,
  account,
  owner,
}) => {
  const signIns: string[] = [];
  await using inbox = await startSmtpInbox({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      signIns.push(`${username} ${password}`);
      if (password === 'p@ss word') done(null, { user: username });
      else done(new Error('Invalid login'));
    },
  });
  const urlOf = (password: string) =>
    inbox.url.replace('smtp://', `smtp://ada%40example.com:${encodeURIComponent(password)}@`);
  const address = ['--from', 'Ada Lovelace <ada@example.com>'];
  const run = (password: string) =>
    admin(
      service,
      '--account',
      account.accountId,
      '--provider',
      'smtp',
      '--url',
      urlOf(password),
      ...address,
    );
  const refused = (await run('wrong password').catch((error: unknown) => error)) as AppError;
  expect(refused.code).toBe('credential_refused');
  expect(JSON.stringify([refused.message, refused.issues])).not.toContain('wrong password');
  expect(await run('p@ss word')).toMatchObject({ provider: 'smtp', kind: 'mail', state: 'connected' });
  expect(signIns).toEqual(['ada@example.com wrong password', 'ada@example.com p@ss word']);
  const [connection] = await owner.query('connections.list', {});
  expect(connection.settings.from).toEqual({ name: 'Ada Lovelace', address: 'ada@example.com' });
});

test('the command says what it needs', async ({ service, account, provider }) => {
  provider.domains = [];
  const refusals: [string[], RegExp][] = [
    [['--provider', 'mailgun', '--key', 'x'], /^--provider must be one of smtp, resend, /],
    [['--provider', 'resend'], /^--key is required\.$/],
    [['--provider', 'smtp', '--url', 'http://example.com'], /^--url must be smtp:/],
    [['--id', 'x', '--key', 'y'], /^--id must be an id/],
    [['--provider', 'resend', '--report-secret', 'x'], /^--report-secret needs --id/],
    [['--id', createId(), '--report-secret', 'x', '--key', 'y'], /in a command of its own/],
    [['--provider', 'resend', '--key', provider.key, '--base-url', provider.url], /from/],
    [['--provider', 'resend', '--key', provider.key, '--from', 'A <ada@gmail.com>'], /Only Gmail/],
  ];
  for (const [command, message] of refusals) {
    const refused = await admin(service, '--account', account.accountId, ...command).catch(
      (error: unknown) => error,
    );
    const { message: text, issues = [] } = refused as AppError;
    expect(
      [text, ...issues.map((issue) => `${issue.path} ${issue.message}`)].join(' '),
      command.join(' '),
    ).toMatch(message);
  }
});
