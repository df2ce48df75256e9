// Reads that may be late, and a replica of PostgreSQL.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateService, serviceEntities } from '@service/composition';
import { createId, openDatabase } from '@service/database';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@service/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestKey, createTestWorld, testApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { signInMember } from '../support/member.ts';
import { quickFolder } from '../support/quick-folder.ts';

const settings = { fsync: 'off', synchronous_commit: 'off' };

/** Copies a running server, and starts the copy as its replica. */
async function startReplica(primary: EmbeddedPostgres, dataDir: string): Promise<EmbeddedPostgres> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query(`select pg_backup_start('copy', true)`);
  await mkdir(dataDir);
  await promisify(execFile)('cp', [
    '-a',
    join(primary.dataDir, 'cluster'),
    join(primary.dataDir, 'password'),
    dataDir,
  ]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await client.end();
  const cluster = join(dataDir, 'cluster');
  await rm(join(cluster, 'postmaster.pid'));
  const { uid, gid } = await stat(join(cluster, 'PG_VERSION'));
  for (const [name, text] of [
    ['backup_label', rows[0]!.labelfile],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(cluster, name), text);
    await chown(join(cluster, name), uid, gid);
  }
  const { port, password } = new URL(primary.url);
  const primaryConninfo = `host=127.0.0.1 port=${port} user=app password=${password}`;
  return startEmbeddedPostgres({ dataDir, settings: { ...settings, primary_conninfo: primaryConninfo } });
}

/** A way to a server. `lose` makes it lose all bytes of both directions, as a firewall does that drops packets. */
async function openWay(port: number): Promise<{ port: number; lose: () => void } & AsyncDisposable> {
  const sockets: Socket[] = [];
  let isLosing = false;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.push(from);
      from.on('data', (bytes) => isLosing || to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lose: () => void (isLosing = true),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const opened = new AsyncDisposableStack();
let primary: EmbeddedPostgres;
let replica: EmbeddedPostgres;
let onReplica: pg.Client;

beforeAll(async () => {
  const folder = await mkdtemp(join(await quickFolder(), 'service-replica-'));
  await chmod(folder, 0o755);
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  primary = await startEmbeddedPostgres({ dataDir: join(folder, 'primary'), settings });
  opened.defer(() => primary.stop({ immediate: true }));
  await migrateService(primary.url);
  replica = await startReplica(primary, join(folder, 'replica'));
  opened.defer(() => replica.stop({ immediate: true }));
  onReplica = new pg.Client({ connectionString: replica.url });
  await onReplica.connect();
  opened.defer(() => onReplica.end());
});
afterAll(() => opened.disposeAsync());

/** The replica gets further writes, and does not show them. */
async function pauseReplica(): Promise<void> {
  await onReplica.query('select pg_wal_replay_pause()');
  await eventually('the pause of the replica', async () => {
    const { rows } = await onReplica.query<{ state: string }>(
      'select pg_get_wal_replay_pause_state() as state',
    );
    return rows[0]!.state === 'paused';
  });
}

const resumeReplica = () => onReplica.query('select pg_wal_replay_resume()');

const isReplica = { text: 'select pg_is_in_recovery() as is_replica' };
const [fromReplica, fromPrimary] = [[{ is_replica: true }], [{ is_replica: false }]];

async function openWithReplica(replicaUrl: string, url = primary.url) {
  const database = await openDatabase({
    url,
    entities: [],
    name: 'late',
    connections: { statementMaxMs: 500 },
    replica: { url: replicaUrl, lagMaxMs: 2000 },
  });
  return {
    database,
    account: database.ofAccount(createId()),
    untilProblem: (problem: string | undefined) =>
      eventually(`the replica: ${problem}`, () => database.replica()!.problem === problem),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('Activity and exports are read from the replica, and keys and other records from the primary', async () => {
  const database = await openDatabase({ url: primary.url, entities: serviceEntities, name: 'test' });
  const shared = { database, url: primary.url, [Symbol.asyncDispose]: () => database.close() };
  await using _database = shared;
  const options = { replica: { url: replica.url, lagMaxMs: 3_600_000 } };
  await using service = await testApi({ shared, options });
  await eventually('the replica', () => service.api.service.database.replica()!.problem === undefined);
  const world = await createTestWorld(service);
  const { cookie } = await signInMember(service, world);
  const { id: revokedId, key: revoked } = await createTestKey(service, world.accountId);
  const register = async (name: string) => {
    const person = { name, email: `${name}@example.com`, sessionTime: world.webinar.sessionTime };
    return (await world.call('POST /registrations', person)).json.data.id as string;
  };
  const registeredCalls = async () => {
    await service.api.service.activity.flush();
    const { json } = await world.rest('GET /api-calls');
    return json.data.filter(({ method }: { method: string }) => method === 'POST').length;
  };
  const exported = async () => {
    const input = encodeURIComponent(JSON.stringify({ webinarId: world.webinar.id }));
    const file = `/api/export/registrations.csv?workspace=${world.accountId}&input=${input}`;
    return (
      (await (await fetch(service.baseUrl + file, { headers: { cookie } })).text()).trim().split('\n')
        .length - 1
    );
  };
  await register('ada');
  await eventually('the first call on the replica', async () => (await registeredCalls()) === 1);

  await pauseReplica();
  const id = await register('grace');
  expect(await registeredCalls()).toBe(1);
  expect(await exported()).toBe(1);
  expect((await world.call('GET /registrations')).json.data).toHaveLength(2);
  // The replica does not have this registration, so the primary is asked.
  expect((await world.call(`GET /registrations/${id}/events`)).json.data).toHaveLength(1);
  await (await openDashboard(service, world)).mutate('keys.revoke', { keyId: revokedId });
  expect((await callRest(service, 'GET /me', { key: revoked })).status).toBe(401);
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
  expect(metrics).toMatch(/database_replica_lag_seconds [\d.]+\n/);
  expect(metrics).toMatch(/database_replica_used 1\n/);

  await resumeReplica();
  await eventually('the second call on the replica', async () => (await registeredCalls()) === 2);
  expect(await exported()).toBe(2);
});

test('reads that may be late go to the replica, and to the primary while the replica is too late', async () => {
  await using late = await openWithReplica(replica.url);
  const { account, database, untilProblem } = late;
  await untilProblem(undefined);
  expect(await account.late()!.query(isReplica, [])).toEqual(fromReplica);
  expect(await account.query(isReplica, [])).toEqual(fromPrimary);

  await pauseReplica();
  await database.pool.query('create table late ()');
  await untilProblem('late');
  expect(database.replica()!.lagMs).toBeGreaterThan(2000);
  expect(account.late()).toBeUndefined();

  await resumeReplica();
  await untilProblem(undefined);
  expect(await account.late()!.query(isReplica, [])).toEqual(fromReplica);
});

test('a read on a replica whose packets are lost is answered by the primary', async () => {
  await using way = await openWay(replica.port);
  const url = new URL(replica.url);
  url.port = String(way.port);
  const late = await openWithReplica(url.href);
  await late.untilProblem(undefined);
  const reads = late.account.late()!;
  expect(await reads.query(isReplica, [])).toEqual(fromReplica);

  way.lose();
  expect(await reads.query(isReplica, [])).toEqual(fromPrimary);
  await late.untilProblem('unreachable');
  expect(late.account.late()).toBeUndefined();
  await way[Symbol.asyncDispose]();
  await late.database.close();
});

test('reads go to the primary when the replica is one of another system, or was promoted', async () => {
  await using other = await testDatabase();
  await using foreign = await openWithReplica(replica.url, other.url);
  await foreign.untilProblem('not_a_replica');
  await using late = await openWithReplica(replica.url);
  await late.untilProblem(undefined);

  await onReplica.query('select pg_promote()');
  await late.untilProblem('not_a_replica');
  expect(late.account.late()).toBeUndefined();
});
