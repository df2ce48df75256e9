// Workspaces with their own e-mail provider. All tests of a file share the provider's server, and each has a workspace of its own.
import type { TestAccount, TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { signInMember, type Member } from '../support/member.ts';
import { test as base } from '../support/service-test.ts';
import { from } from './connection-rows.ts';
import { startMailProvider, type MailProvider } from './mail-provider.ts';

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

/** A sign-in hashes a password, so an account has one for all of its refusals. */
const members = new WeakMap<TestAccount, Promise<Member>>();

/** The refusal of a call: its code, and its problems by their paths. */
export async function refusalWithIssues(
  { service, account }: { service: TestApi; account: TestAccount },
  procedure: string,
  input: unknown,
): Promise<{ code: string; issues: Record<string, string>; text: string }> {
  const signIn = members.get(account) ?? signInMember(service, account);
  members.set(account, signIn);
  const member = await signIn;
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
