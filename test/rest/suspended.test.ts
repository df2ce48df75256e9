import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { resumeAccount, suspendAccount } from '@service/composition';
import type { AccountWriter } from '@service/database';
import { expect } from 'vitest';
import { callRest, createTestKey, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { test } from '../support/service-test.ts';
import { createWorld } from '../support/world.ts';

const program = fileURLToPath(new URL('../../apps/local/src/admin.ts', import.meta.url));

interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs an operator's command on the database of a test. */
async function admin({ db }: Pick<TestApi, 'db'>, ...command: string[]): Promise<Printed> {
  try {
    const env = { ...childEnvironment, DATABASE_URL: db.url };
    return { code: 0, ...(await promisify(execFile)(process.execPath, [program, ...command], { env })) };
  } catch (error) {
    return error as Printed;
  }
}

/** As the operator’s commands do it. */
const write = <Result>(
  { db }: Pick<TestApi, 'db'>,
  accountId: string,
  work: (tx: AccountWriter) => Promise<Result>,
): Promise<Result> => db.database.transaction((tx) => work({ ...tx, accountId, now: new Date() }));

const suspend = (service: Pick<TestApi, 'db'>, id: string) => write(service, id, suspendAccount);
const resume = (service: Pick<TestApi, 'db'>, id: string) => write(service, id, resumeAccount);

test('the operator’s commands print the time of the suspension, may be repeated, and refuse an unknown account', async ({
  service,
  account: { accountId },
}) => {
  const unknownId = '01a1fa00-44e8-743f-b362-6e80fc279e81';
  const [first, unknown] = await Promise.all([
    admin(service, 'suspend-account', '--account', accountId),
    admin(service, 'suspend-account', '--account', unknownId),
  ]);
  expect(first.code, first.stderr).toBe(0);
  const { suspendedAt, ...rest } = JSON.parse(first.stdout);
  expect(rest).toEqual({ accountId });
  expect(suspendedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(await suspend(service, accountId)).toEqual({ accountId, suspendedAt });
  const resumed = await admin(service, 'resume-account', '--account', accountId);
  expect(JSON.parse(resumed.stdout)).toEqual({ accountId, suspendedAt: null });
  expect(await resume(service, accountId)).toEqual({ accountId, suspendedAt: null });
  const { code, stdout, stderr } = unknown;
  expect([code, stdout, stderr]).toEqual([1, '', `There is no account ${unknownId}.\n`]);
}, 180_000);

test('keys of a suspended account get 403 from every process at once, and invalid keys 401 as before', async () => {
  await using first = await testApi();
  await using second = await testApi({ shared: first.db });
  const { key, accountId, webinar } = await createTestWorld(first);
  const narrow = await createTestKey(first, accountId, { scopes: ['interactions:read'] });
  const neighbour = await createTestWorld(first);
  const body = { title: 'Once' };
  const headers = { 'Idempotency-Key': 'once' };
  expect((await callRest(first, 'POST /webinars', { key, body, headers })).status).toBe(201);
  await suspend(first, accountId);
  const remaining: number[] = [];
  for (const service of [first, second]) {
    for (const route of [
      'GET /webinars',
      'GET /me',
      `GET /webinars/${webinar.id}`,
      'GET /nowhere',
      'PUT /me',
    ]) {
      const answer = await callRest(service, route, { key, headers: { 'X-Request-Id': 'refused' } });
      expect([route, answer.status, answer.json.code]).toEqual([route, 403, 'account_suspended']);
      remaining.push(Number(answer.headers.get('x-ratelimit-remaining')));
    }
    const replay = await callRest(service, 'POST /webinars', { key, body, headers });
    expect([replay.status, replay.headers.has('idempotent-replayed')]).toEqual([403, false]);
    expect((await callRest(service, 'GET /webinars', { key: narrow.key })).status).toBe(401);
    expect((await callRest(service, 'GET /webinars', { key: `${key.slice(0, -1)}_` })).status).toBe(401);
    expect((await callRest(service, 'GET /webinars', { key: neighbour.key })).status).toBe(200);
  }
  // Counted like any call.
  expect(new Set(remaining).size).toBe(remaining.length);
  const { pool } = first.db.database;
  await eventually('the refused calls in Activity', async () => {
    const sql = `select status from activity.api_call where account_id = $1 and request_id = 'refused'`;
    const { rows } = await pool.query(sql, [accountId]);
    return rows.length === 10 && rows.every(({ status }) => status === 403);
  });
  await resume(first, accountId);
  for (const service of [first, second]) {
    expect((await callRest(service, 'GET /webinars', { key })).status).toBe(200);
  }
});

test('members of a suspended workspace see the suspension, may read and revoke access, and write nothing else', async ({
  service,
}) => {
  const account = await createTestWorld(service);
  const { id: keyId } = await createTestKey(service, account.accountId);
  const dashboard = await openDashboard(service, account);
  expect((await dashboard.query('accounts.workspace.get')).suspendedAt).toBeNull();
  const { suspendedAt } = await suspend(service, account.accountId);
  expect((await dashboard.query('accounts.workspace.get')).suspendedAt).toBe(suspendedAt);
  expect(await dashboard.query('webinars.list', {})).toHaveLength(1);
  const access = { label: 'New', scopes: ['webinars:read'], surfaces: ['rest'] };
  for (const [procedure, input] of [
    ['webinars.create', { title: 'New' }],
    ['webinars.archive', { webinarId: account.webinar.id }],
    ['keys.create', access],
    ['accounts.workspace.rename', { name: 'New' }],
    ['accounts.invitations.create', { email: 'max@example.com', role: 'member' }],
  ] as const) {
    const refusal = dashboard.mutate(procedure, input);
    await expect(refusal, procedure).rejects.toMatchObject({ message: 'account_suspended', status: 403 });
  }
  expect(await dashboard.mutate('keys.revoke', { keyId })).toEqual({ id: keyId });
  await resume(service, account.accountId);
  expect(await dashboard.mutate('keys.create', access)).toMatchObject({ label: 'New' });
});

test('rooms of a suspended account stay open', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  world.startSession();
  await suspend(world.service, world.accountId);
  expect((await ada.visit()).status).toBe(201);
  expect((await ada.watch(10)).status).toBe(200);
});
