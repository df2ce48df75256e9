// The consent of a member: who may give it, once, for one workspace.
import { suspendAccount } from '@service/composition';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, type TestApi } from '../support/api.ts';
import { openDashboard, refusalOf, type DashboardClient } from '../support/dashboard.ts';
import { writeAs } from '../support/factories.ts';
import { signInMember, type Member } from '../support/member.ts';
import { createConnectorsWorld } from './connectors-world.ts';
import {
  approve,
  askForCode,
  connect,
  createAttempt,
  redirectUri,
  requestOf,
  statusOf,
} from './oauth-client.ts';

const scopes = ['webinars:read'];

let service: TestApi;
let dashboard: DashboardClient;
/** An owner of another workspace. */
let stranger: DashboardClient;
let member: Member;
let clientId: string;
beforeAll(async () => {
  const world = await createConnectorsWorld();
  ({ service, dashboard, clientId } = world);
  stranger = await openDashboard(service, await createTestAccount(service));
  member = await signInMember(service, world.owner);
});
afterAll(() => service[Symbol.asyncDispose]());

const newRequest = () => requestOf(service, createAttempt(service, clientId));

test('an approval sends the code, the state and the issuer to the client, and a refusal sends access_denied', async () => {
  const approved = await approve(dashboard, { request: await newRequest(), scopes });
  expect(`${approved.origin}${approved.pathname}`).toBe(redirectUri);
  expect(Object.fromEntries(approved.searchParams)).toEqual({
    code: expect.stringMatching(/^svc_code_/),
    state: 'state-1',
    iss: `${service.baseUrl}/oauth`,
  });
  const { redirectTo } = await dashboard.mutate('connectors.deny', { request: await newRequest() });
  expect(Object.fromEntries(new URL(redirectTo).searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'A member denied the request.',
    state: 'state-1',
    iss: `${service.baseUrl}/oauth`,
  });
});

test.each(['connectors.approve', 'connectors.deny'])(
  'a request is answered once, also in another workspace: after %s',
  async (procedure) => {
    const request = await newRequest();
    const input = (name: string) => (name === 'connectors.approve' ? { request, scopes } : { request });
    await dashboard.mutate(procedure, input(procedure));
    for (const again of [dashboard, stranger])
      for (const name of ['connectors.approve', 'connectors.deny'])
        expect(await refusalOf(again.mutate(name, input(name))), name).toBe('authorization_request_used');
  },
);

test.each(['connectors.request', 'connectors.approve', 'connectors.deny'])(
  '%s refuses a request that this service did not seal, or sealed for something else',
  async (procedure) => {
    const request = await newRequest();
    const { code } = await askForCode(service, dashboard, { clientId });
    const foreign = service.api.service.secretBox.seal('{"id":"x"}', 'revenue.source');
    for (const text of ['x', request.slice(0, -2), foreign, code]) {
      const input = procedure === 'connectors.approve' ? { request: text, scopes } : { request: text };
      const call =
        procedure === 'connectors.request'
          ? dashboard.query(procedure, input)
          : dashboard.mutate(procedure, input);
      expect(await refusalOf(call)).toBe('authorization_request_invalid');
    }
  },
);

test('only scopes that the client asked for can be approved, and at least one', async () => {
  const request = await requestOf(service, createAttempt(service, clientId, { scope: 'webinars:read' }));
  for (const wrong of [['webinars:write'], ['webinars:read', 'webinars:write'], [], ['admin']])
    expect(await refusalOf(approve(dashboard, { request, scopes: wrong }))).toBe('validation_failed');
  expect(await refusalOf(approve(dashboard, { request, scopes }))).toBe('accepted');
});

const json = { 'Content-Type': 'application/json' };

test.each<[string, Record<string, string>, number]>([
  ['a page of another origin', { ...json, Origin: 'https://evil.example' }, 403],
  ['a page in a sandbox', { ...json, Origin: 'null' }, 403],
  ['a form of another page', { 'Content-Type': 'text/plain', Origin: 'https://evil.example' }, 403],
  ['a form without an origin', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ['a text without an origin', { 'Content-Type': 'text/plain' }, 415],
  ['somebody who is not signed in', { ...json, cookie: '' }, 401],
])('consent is refused to %s', async (_title, headers, status) => {
  const input = { request: await newRequest(), scopes };
  const body = JSON.stringify(input);
  const answer = await member.send('connectors.approve', { method: 'POST', headers, body });
  expect(answer.status).toBe(status);
  // The request was not used up.
  expect(await refusalOf(approve(dashboard, input))).toBe('accepted');
});

test('consent cannot be given with a GET, which other pages can cause', async () => {
  const input = encodeURIComponent(JSON.stringify({ request: await newRequest(), scopes }));
  const answer = await member.send(`connectors.approve?input=${input}`);
  expect(answer.status).toBe(405);
});

test('a member gives consent for their own workspaces only', async () => {
  const other = await createTestAccount(service);
  const answer = await member.send('connectors.approve', {
    method: 'POST',
    headers: { ...json, Origin: service.baseUrl, 'x-workspace': other.accountId },
    body: JSON.stringify({ request: await newRequest(), scopes }),
  });
  expect(answer.status).toBe(401);
});

test('the consent page cannot be shown in a frame', async () => {
  const page = await fetch(`${service.baseUrl}/connect?request=${await newRequest()}`);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
});

test('members of a suspended workspace can revoke grants and refuse requests, and approve none', async () => {
  const suspended = await createTestAccount(service);
  const theirs = await openDashboard(service, suspended);
  const { accessToken } = await connect(service, theirs, { scopes });
  await writeAs(service.db.database, suspended.accountId, suspendAccount);
  expect(await statusOf(service, accessToken)).toBe(403);
  const request = await newRequest();
  expect(await refusalOf(approve(theirs, { request, scopes }))).toBe('account_suspended');
  expect(await refusalOf(theirs.mutate('connectors.deny', { request }))).toBe('accepted');
  const [denied, active] = await theirs.query('grants.list');
  expect([denied.state, active.state]).toEqual(['denied', 'active']);
  await theirs.mutate('grants.revoke', { id: active.id });
  expect(await statusOf(service, accessToken)).toBe(401);
});
