// The operator's command that makes, rotates and stores the secrets of sources.
import { serviceCommands } from '@service/composition';
import { readCommandLine } from '@service/config';
import type { AppError } from '@service/errors';
import { openAdmin } from '@service/local';
import { expect } from 'vitest';
import { testEncryptionKey, type TestApi } from '../support/api.ts';
import { postEvent, purchase, sign, test } from './sender.ts';

/** Runs the operator's command as the program does, on the database of the test. */
async function admin({ db }: TestApi, ...command: string[]): Promise<{ url: string; secret?: string }> {
  const { run, options } = serviceCommands['revenue-source']!;
  const { values } = readCommandLine(command, { options })!;
  const parts = await openAdmin({
    DATABASE_URL: db.url,
    ENCRYPTION_KEY: testEncryptionKey,
    BASE_URL: 'https://example.com/',
  });
  try {
    return (await run(parts, values)) as { url: string; secret?: string };
  } finally {
    await parts.close();
  }
}

test('the operator’s command makes a secret, rotates it and stores that of a provider, and events with it are accepted', async ({
  service,
  account,
}) => {
  const { accountId } = account;
  const run = (...command: string[]) => admin(service, '--account', accountId, ...command);
  const made = await run('--provider', 'generic');
  expect(made).toEqual({
    url: `https://example.com/api/webhooks/revenue/${accountId}/generic`,
    secret: expect.stringMatching(/^whsec_/),
  });
  const statusOf = async (secret: string): Promise<number> => {
    const body = JSON.stringify(purchase());
    const headers = { 'X-Service-Signature': sign(secret, body) };
    return (await postEvent(service, `${accountId}/generic`, { body, headers })).status;
  };
  expect(await statusOf(made.secret!)).toBe(202);
  expect(await run('--provider', 'generic')).toEqual({ url: made.url });
  const rotated = await run('--provider', 'generic', '--rotate');
  expect([await statusOf(made.secret!), await statusOf(rotated.secret!)]).toEqual([401, 202]);
  expect(await run('--provider', 'stripe', '--secret', 'whsec_0123456789abcdef')).toEqual({
    url: `https://example.com/api/webhooks/revenue/${accountId}/stripe`,
  });
});

test('the operator’s command refuses what it cannot do, and says what to give', async ({
  service,
  account,
}) => {
  const { accountId } = account;
  const refusals: [string[], RegExp][] = [
    [['--provider', 'paypal'], /^--provider must be one of generic, stripe\.$/],
    [['--provider', 'stripe'], /^--secret is required\. .*whsec_/],
    [['--provider', 'stripe', '--secret', 'sk_live'], /whsec_/],
    [['--provider', 'generic', '--secret', 'whsec_mine'], /The service makes the secret/],
    [['--provider', 'generic', '--rotate'], /has no secret/],
    [['--provider', 'generic', '--rotate', '--secret', 'x'], /^Give either --secret or --rotate\.$/],
  ];
  for (const [command, message] of refusals) {
    const refused = await admin(service, '--account', accountId, ...command).catch((error: unknown) => error);
    const { message: text, issues = [] } = refused as AppError;
    expect([text, ...issues.map((issue) => issue.message)].join(' '), command.join(' ')).toMatch(message);
  }
});
