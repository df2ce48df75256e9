// The grants of a workspace: who sees and revokes them, how many there are, and their end with their member.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestAccount,
  createTestMember,
  testApi,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { openDashboard, refusalOf, type DashboardClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { createConnectorsWorld } from './connectors-world.ts';
import {
  approve,
  askForCode,
  codeForm,
  connect,
  createAttempt,
  postForm,
  refreshForm,
  registerClient,
  requestOf,
  statusOf,
} from './oauth-client.ts';

const scopes = ['webinars:read'];

let service: TestApi;
let owner: TestAccount;
let dashboard: DashboardClient;
/** An owner of another workspace. */
let stranger: DashboardClient;
let clientId: string;
beforeAll(async () => {
  ({ service, owner, dashboard, clientId } = await createConnectorsWorld());
  stranger = await openDashboard(service, await createTestAccount(service));
});
afterAll(() => service[Symbol.asyncDispose]());

const newRequest = () => requestOf(service, createAttempt(service, clientId));

/** A further member of the workspace of the owner. */
async function addMember(name: string): Promise<{ userId: string; dashboard: DashboardClient }> {
  const person = await createTestMember(service, owner.accountId, name);
  return { userId: person.userId, dashboard: await openDashboard(service, person) };
}

test('the list shows a denied request, an approved one whose client did not come back, and a connected client', async () => {
  const owned = await createTestAccount(service);
  const theirs = await openDashboard(service, owned);
  await theirs.mutate('connectors.deny', { request: await newRequest() });
  const open = await askForCode(service, theirs, { clientId, scopes });
  const states = async () =>
    (await theirs.query('grants.list')).map(
      ({ state, scopes: granted, endedAt }: Record<'state' | 'scopes' | 'endedAt', unknown>) => [
        state,
        granted,
        endedAt === null,
      ],
    );
  expect(await states()).toEqual([
    ['not_connected', scopes, true],
    ['denied', [], false],
  ]);
  await postForm(service, 'token', codeForm(open.attempt, open.code));
  expect((await states())[0]).toEqual(['active', scopes, true]);
});

test('an approved request can be revoked before its client came back', async () => {
  const { attempt, code } = await askForCode(service, dashboard, { clientId, scopes });
  const [{ id }] = await dashboard.query('grants.list');
  await dashboard.mutate('grants.revoke', { id });
  const { json } = await postForm(service, 'token', codeForm(attempt, code));
  expect(json).toMatchObject({ error: 'invalid_grant', error_description: 'The grant has ended.' });
});

/** Connects the same client once more, as it does on another computer. */
async function connectAgain(who: DashboardClient, endsEarlier: boolean): Promise<string> {
  const attempt = createAttempt(service, clientId);
  const request = await requestOf(service, attempt);
  const { redirectTo } = await who.mutate('connectors.approve', { request, scopes, endsEarlier });
  const code = new URL(redirectTo).searchParams.get('code')!;
  return (await postForm(service, 'token', codeForm(attempt, code))).json.access_token;
}

test('a client that is allowed again adds a connection, or replaces those of the same person if they choose so', async () => {
  const max = await addMember('max');
  const ofOwner = await connectAgain(dashboard, false);
  const first = await connectAgain(max.dashboard, false);
  const second = await connectAgain(max.dashboard, false);
  const statuses = (tokens: string[]) => Promise.all(tokens.map((token) => statusOf(service, token)));
  expect(await statuses([ofOwner, first, second])).toEqual([200, 200, 200]);
  await service.api.service.activity.flush();
  const { earlier } = await max.dashboard.query('connectors.request', { request: await newRequest() });
  expect(earlier).toEqual({ connections: 2, lastUsedAt: expect.any(String) });
  const other = createAttempt(service, await registerClient(service));
  const ofOther = await max.dashboard.query('connectors.request', {
    request: await requestOf(service, other),
  });
  expect(ofOther.earlier).toEqual({ connections: 0, lastUsedAt: null });

  const third = await connectAgain(max.dashboard, true);
  expect(await statuses([ofOwner, first, second, third])).toEqual([200, 401, 401, 200]);
  const states = (await max.dashboard.query('grants.list')).map(({ state }: { state: string }) => state);
  expect(states).toEqual(['active', 'replaced', 'replaced']);
});

test('a person has at most ten connections of one client, and the one that was used longest ago is replaced', async () => {
  const eva = await addMember('eva');
  const tokens: string[] = [];
  for (let made = 0; made < 10; made += 1) tokens.push(await connectAgain(eva.dashboard, false));
  expect(await statusOf(service, tokens[0]!)).toBe(200);
  await service.api.service.activity.flush();
  tokens.push(await connectAgain(eva.dashboard, false));
  const statuses = await Promise.all(tokens.map((token) => statusOf(service, token)));
  expect(statuses.flatMap((status, index) => (status === 200 ? [] : [index]))).toEqual([1]);
});

test('owners see and revoke all grants of their workspace, other members their own', async () => {
  const ada = await addMember('ada');
  const ofOwner = await connect(service, dashboard, { scopes });
  const ofAda = await connect(service, ada.dashboard, { scopes });
  const seenBy = async (who: DashboardClient): Promise<string[]> =>
    (await who.query('grants.list')).map(({ member: by }: { member: { name: string } }) => by.name);
  expect(await seenBy(ada.dashboard)).toEqual(['ada']);
  expect(await seenBy(dashboard)).toContain('ada');
  const [newest, second] = await dashboard.query('grants.list');
  expect(newest).toMatchObject({
    clientName: 'Test assistant',
    clientHost: null,
    redirectHost: '127.0.0.1',
    scopes,
    member: { id: ada.userId, name: 'ada' },
    state: 'active',
    endedAt: null,
    requests: 0,
    lastUsedAt: null,
  });
  expect(await refusalOf(ada.dashboard.mutate('grants.revoke', { id: second.id }))).toBe('grant_not_found');
  expect(await statusOf(service, ofOwner.accessToken)).toBe(200);
  await ada.dashboard.mutate('grants.revoke', { id: newest.id });
  expect(await statusOf(service, ofAda.accessToken)).toBe(401);
  await dashboard.mutate('grants.revoke', { id: second.id });
  expect(await statusOf(service, ofOwner.accessToken)).toBe(401);
  const { json } = await postForm(service, 'token', refreshForm(ofOwner.clientId, ofOwner.refreshToken));
  expect(json.error).toBe('invalid_grant');
});

test('a grant of another workspace can be neither seen nor revoked', async () => {
  const { accessToken } = await connect(service, dashboard, { scopes });
  const [{ id }] = await dashboard.query('grants.list');
  expect(await stranger.query('grants.list')).toEqual([]);
  expect(await refusalOf(stranger.mutate('grants.revoke', { id }))).toBe('grant_not_found');
  expect(await statusOf(service, accessToken)).toBe(200);
});

test('a revocation counts on the next request of another process', async () => {
  await using other = await testApi({ shared: service.db });
  const { accessToken } = await connect(service, dashboard, { scopes });
  expect(await statusOf(other, accessToken)).toBe(200);
  const [{ id }] = await dashboard.query('grants.list');
  await dashboard.mutate('grants.revoke', { id });
  expect(await statusOf(other, accessToken)).toBe(401);
});

test('with a member their grants end, also one whose code was not exchanged yet', async () => {
  const bob = await addMember('bob');
  const { accessToken } = await connect(service, bob.dashboard, { scopes });
  const open = await askForCode(service, bob.dashboard, { clientId, scopes });
  const request = await newRequest();
  await dashboard.mutate('accounts.members.remove', { userId: bob.userId });
  expect(await statusOf(service, accessToken)).toBe(401);
  const { json } = await postForm(service, 'token', codeForm(open.attempt, open.code));
  expect(json).toMatchObject({ error: 'invalid_grant', error_description: 'The grant has ended.' });
  expect(await refusalOf(approve(bob.dashboard, { request, scopes }))).toBe('sign_in_required');
  expect((await dashboard.query('grants.list'))[0].state).toBe('member_removed');
});

test('no grant remains of a member who is removed while their approval is being stored', async () => {
  const eve = await addMember('eve');
  const request = await newRequest();
  const { id } = JSON.parse(service.api.service.secretBox.open(request, 'connectors.authorization_request'));
  const pool = () => service.db.database.pool;
  const waiting = () => countWaiting(pool());

  // An open transaction with the same id makes the approval wait after it has read the membership.
  await using blocker = await lockRows(
    pool(),
    `insert into connectors.grant (account_id, id, client_id, client_name, redirect_uri, scopes, member_id, member_name,
       code_challenge, secret_hash, generation, created_at, expires_at, requests)
     values (gen_random_uuid(), $1, '', '', '', '{}', gen_random_uuid(), '', '', '', 0, now(), now(), 0)`,
    [id],
  );
  const approval = refusalOf(approve(eve.dashboard, { request, scopes }));
  await eventually('the approval to wait', async () => (await waiting()) === 1);
  let isRemoved = false;
  const removal = dashboard
    .mutate('accounts.members.remove', { userId: eve.userId })
    .then(() => (isRemoved = true));
  await eventually('the removal to wait or to end', async () => isRemoved || (await waiting()) === 2);
  await blocker.release();
  await Promise.all([approval, removal]);

  const { rows } = await pool().query(
    'select 1 from connectors.grant where member_id = $1 and ended_at is null',
    [eve.userId],
  );
  expect(rows).toEqual([]);
});

test('no grant remains of a member who is removed while a client uses their grant in its last moment', async () => {
  const eve = await addMember('eve');
  await connect(service, eve.dashboard, { scopes });
  const [{ id }] = await eve.dashboard.query('grants.list');
  const { pool } = service.db.database;
  await pool.query(`update connectors.grant set expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ]);

  // The exchange began before the end of the grant, and commits after the removal began.
  const exchange = await pool.connect();
  await exchange.query('begin');
  await exchange.query(
    `update connectors.grant set generation = generation + 1, expires_at = now() + interval '60 days' where id = $1`,
    [id],
  );
  let isRemoved = false;
  const removal = dashboard
    .mutate('accounts.members.remove', { userId: eve.userId })
    .then(() => (isRemoved = true));
  await eventually(
    'the removal to wait or to end',
    async () => isRemoved || (await countWaiting(pool)) === 1,
  );
  await exchange.query('commit');
  exchange.release();
  await removal;
  const { rows } = await pool.query('select end_reason from connectors.grant where id = $1', [id]);
  expect(rows).toEqual([{ end_reason: 'member_removed' }]);
});

test('a workspace has at most 200 grants that have not ended', async () => {
  await connect(service, stranger, { scopes });
  const [{ id }] = await stranger.query('grants.list');
  await service.db.database.pool.query(
    `insert into connectors.grant
     select account_id, gen_random_uuid(), client_id, client_name, client_host, redirect_uri, scopes, member_id, member_name,
       code_challenge, secret_hash, generation, created_at, refreshed_at, expires_at, ended_at, end_reason, last_used_at, requests
     from connectors.grant, generate_series(1, 199) where id = $1`,
    [id],
  );
  const request = await newRequest();
  expect(await refusalOf(approve(stranger, { request, scopes }))).toBe('grant_limit_reached');
  await stranger.mutate('grants.revoke', { id });
  expect(await refusalOf(approve(stranger, { request, scopes }))).toBe('accepted');
});

test('the calls of a grant are counted on it', async () => {
  const { accessToken } = await connect(service, dashboard, { scopes });
  await statusOf(service, accessToken);
  await statusOf(service, accessToken);
  await service.api.service.activity.flush();
  const [grant] = await dashboard.query('grants.list');
  expect([grant.requests, grant.lastUsedAt]).toEqual([2, expect.any(String)]);
});
