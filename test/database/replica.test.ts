// Reads that may be late, and a replica of PostgreSQL.
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createId, openDatabase } from '@service/database';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@service/embedded-postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
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

const isReplica = { text: 'select pg_is_in_recovery() as is_replica' };

test('reads that may be late go to the replica, and to the primary while the replica is too late or gone', async () => {
  const folder = await mkdtemp(join(await quickFolder(), 'service-replica-'));
  await chmod(folder, 0o755);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const primary = await startEmbeddedPostgres({ dataDir: join(folder, 'primary'), settings });
  opened.defer(() => primary.stop({ immediate: true }));
  const replica = await startReplica(primary, join(folder, 'replica'));
  opened.defer(() => replica.stop({ immediate: true }));
  const database = await openDatabase({
    url: primary.url,
    entities: [],
    name: 'late',
    replica: { url: replica.url, lagMaxMs: 2000 },
  });
  opened.defer(() => database.close());
  const account = database.ofAccount(createId());
  const isUsed = (wanted: boolean) =>
    eventually('a change of the replica', () => database.replica()!.isUsable === wanted);
  const readsReplica = async () => (await (account.late() ?? account).query(isReplica, [])) as unknown;
  const onReplica = new pg.Client({ connectionString: replica.url });
  await onReplica.connect();
  onReplica.on('error', () => undefined);

  await isUsed(true);
  expect(await readsReplica()).toEqual([{ is_replica: true }]);
  expect(await account.query(isReplica, [])).toEqual([{ is_replica: false }]);

  await onReplica.query('select pg_wal_replay_pause()');
  await database.pool.query('create table late ()');
  await isUsed(false);
  expect(database.replica()!.lagMs).toBeGreaterThan(2000);
  expect(await readsReplica()).toEqual([{ is_replica: false }]);

  await onReplica.query('select pg_wal_replay_resume()');
  await isUsed(true);
  await onReplica.end();
  await replica.stop({ immediate: true });
  expect(await readsReplica()).toEqual([{ is_replica: false }]);
});

test('Activity, histories, reports and exports are read from the replica, and keys and other records from the primary', async () => {
  // Another database with the same tables shows by its lack of rows that it was read.
  await using empty = await testDatabase();
  await using service = await testApi({ options: { replica: { url: empty.url } } });
  const { database } = service.api.service;
  await eventually('the replica', () => database.replica()!.isUsable);
  const world = await createTestWorld(service);
  const { key, webinar } = world;
  const registrations = `/webinars/${webinar.id}/registrations`;
  const register = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const rest = async (route: string, body?: object) =>
    (await callRest(service, route, { key, body })).json.data;
  const { id } = await rest(`POST ${registrations}`, register);
  await service.api.service.activity.flush();

  expect(await rest('GET /api-calls')).toEqual([]);
  const { cookie } = await signInMember(service, world);
  const file = `/api/export/webinars.csv?workspace=${world.accountId}`;
  const csv = await (await fetch(service.baseUrl + file, { headers: { cookie } })).text();
  expect(csv.trim().split('\n')).toHaveLength(1);
  expect(await rest(`GET ${registrations}`)).toHaveLength(1);
  // The replica does not have this registration, so the primary is asked.
  expect(await rest(`GET ${registrations}/${id}/events`)).toHaveLength(1);
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
  expect(metrics).toMatch(/database_replica_lag_seconds [\d.]+\n/);
  expect(metrics).toMatch(/database_replica_used 1\n/);
});
