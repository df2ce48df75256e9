// Workspaces with their own e-mail provider. All tests of a file share the provider's server, and each has a workspace of its own.
import { createId } from '@service/database';
import type { TestAccount, TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { signInMember } from '../support/member.ts';
import { test as base } from '../support/service-test.ts';
import { startMailProvider, type MailProvider } from './mail-provider.ts';

export const from = { name: 'Ada', address: 'ada@example.com' };

export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startMailProvider();
    onCleanup(() => server[Symbol.asyncDispose]());
    return server;
  })
  .extend('provider', ({ server }) => {
    server.requests.length = 0;
    server.override = undefined;
    server.domains = [{ name: 'example.com', status: 'verified' }];
    return server;
  })
  .extend('owner', ({ service, account }): Promise<DashboardClient> => openDashboard(service, account));

/** The input of `connections.connect` for the provider of a test. */
export const resendInput = ({ url, key }: MailProvider, more: object = {}) => ({
  provider: 'resend',
  credential: { key },
  baseUrl: url,
  from,
  ...more,
});

/** The refusal of a call: its code, and its problems by their paths. */
export async function refusalWithIssues(
  { service, account }: { service: TestApi; account: TestAccount },
  procedure: string,
  input: unknown,
): Promise<{ code: string; issues: Record<string, string>; text: string }> {
  const member = await signInMember(service, account);
  const headers = { 'Content-Type': 'application/json', Origin: service.baseUrl };
  const { json } = await member.send(procedure, { method: 'POST', headers, body: JSON.stringify(input) });
  const { code, issues = [] } = json.error.data as {
    code: string;
    issues?: { path: string; message: string }[];
  };
  return {
    code,
    issues: Object.fromEntries(issues.map(({ path, message }) => [path, message])),
    text: JSON.stringify(json),
  };
}

/** Writes a connection as if it had been verified, and returns its id. Its provider does not exist. */
export async function insertConnection({ api, db }: TestApi, accountId: string): Promise<string> {
  const id = createId();
  const sealed = api.service.connections.seal({ key: 're_not_a_real_key' }, { id, credentialVersion: 1 });
  await db.database.pool.query(
    `insert into connections.connection (account_id, id, kind, provider, name, credential_kind, credential_version, sealed_credential,
       credential_last4, settings, is_default, state, since, laters, tells, checked_at, created_by_kind, updated_by_kind, created_at,
       updated_at)
     select $1, $2, 'mail', 'resend', 'Resend', 'key', 1, $3, '_key', $4,
       not exists (select from connections.connection where account_id = $1 and is_default),
       'connected', now(), 0, 0, now() - interval '1 hour', 'operator', 'operator', now(), now()`,
    [accountId, id, sealed, JSON.stringify({ from, replyTo: null, baseUrl: null })],
  );
  return id;
}
