import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateService } from '@service/composition';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import { Client } from 'pg';
import { waitUntil } from '../support/wait-until.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const run = promisify(execFile);

export interface ChaosPostgres extends AsyncDisposable {
  /** Copies the migrated database, or an empty one; returns the URL of the copy, which stays the same over stops and starts. */
  createDatabase(name: string, options?: { isEmpty?: boolean }): Promise<string>;
  /** Fast: sessions are cut, what they committed is kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server's main process (-9). Resolves when it has ended; `start` recovers from its log. */
  kill(): Promise<void>;
  /** Copies the data folder of the running server, as pg_basebackup does; only where a drill asked for an archive. */
  takeBackup(): Promise<void>;
  /**
   * Archives the log of everything so far, loses the data folder, and starts the server on the backup with the log up to this time. Sessions
   * are cut. The time is by the server's clock.
   */
  restore(until: Date): Promise<void>;
  /** Contains the tables of the databases, but not the server's log; only where a drill asked for it. */
  disk: SmallDisk | undefined;
}

const archiveMaxMs = 30_000;

/** A PostgreSQL of our own with its usual settings and one migrated database, removed afterwards. */
export async function openChaosPostgres({ smallDisk = false, archive = false } = {}): Promise<ChaosPostgres> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'service-chaos-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // As root the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  const archived = join(folder, 'archive');
  const backup = join(folder, 'backup');
  const settings: Record<string, string> = archive
    ? { archive_mode: 'on', archive_command: `test ! -f ${archived}/%f && cp %p ${archived}/%f` }
    : {};
  // The server writes it, as whichever user it runs.
  await mkdir(archived, { mode: 0o777 });
  await chmod(archived, 0o777);
  let server = await startEmbeddedPostgres({ dataDir, settings });
  const { adminUrl, port, url } = server;
  opened.defer(() => server.stop({ immediate: true }));
  await migrateService(url);
  const withAdmin = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  const admin = (sql: string): Promise<void> => withAdmin((client) => client.query(sql));
  const disk = smallDisk ? opened.use(await mountSmallDisk(folder, server.dataDir)) : undefined;
  if (disk) await admin(`create tablespace small location '${disk.folder}'`);

  const kept = opened.move();
  return {
    async createDatabase(name, { isEmpty = false } = {}) {
      await admin(
        `create database "${name}" template ${isEmpty ? 'template0' : 'app'} ${disk ? 'tablespace small' : ''}`,
      );
      const copy = new URL(url);
      copy.pathname = `/${name}`;
      return copy.href;
    },
    stop: () => server.stop(),
    async start() {
      server = await startEmbeddedPostgres({ dataDir, port, settings });
    },
    takeBackup: () =>
      withAdmin(async (client) => {
        await client.query(`select pg_backup_start('drill', fast => true)`);
        await run('cp', ['-a', join(server.dataDir, 'cluster'), backup]);
        const { rows } = await client.query('select labelfile from pg_backup_stop()');
        // A copy, so that it belongs to the user of the server.
        await run('cp', ['-a', join(backup, 'PG_VERSION'), join(backup, 'backup_label')]);
        await writeFile(join(backup, 'backup_label'), rows[0].labelfile);
        await rm(join(backup, 'postmaster.pid'));
        await rm(join(backup, 'pg_wal'), { recursive: true });
        await run('cp', ['-a', '--attributes-only', join(server.dataDir, 'cluster/pg_wal'), backup]);
        await run('find', [join(backup, 'pg_wal'), '-type', 'f', '-delete']);
      }),
    async restore(until) {
      await withAdmin(async (client) => {
        const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as file');
        const isArchived = async (): Promise<boolean> => {
          const status = await client.query('select last_archived_wal >= $1 as done from pg_stat_archiver', [
            rows[0].file,
          ]);
          return status.rows[0].done;
        };
        if (!(await waitUntil(isArchived, archiveMaxMs))) throw new Error('The log was not archived.');
      });
      await server.stop();
      const cluster = join(server.dataDir, 'cluster');
      await rm(cluster, { recursive: true });
      await run('cp', ['-a', backup, cluster]);
      await run('cp', ['-a', join(cluster, 'PG_VERSION'), join(cluster, 'recovery.signal')]);
      const recovery = {
        restore_command: `cp ${archived}/%f %p`,
        // While it reads its settings, the server knows no names of time zones, such as Z.
        recovery_target_time: until.toISOString().replace('Z', '+00'),
        recovery_target_action: 'promote',
      };
      server = await startEmbeddedPostgres({ dataDir, port, settings: { ...settings, ...recovery } });
    },
    async kill() {
      const file = await readFile(join(server.dataDir, 'cluster', 'postmaster.pid'), 'utf8');
      process.kill(Number(file.split('\n')[0]), 'SIGKILL');
      await server.exited;
    },
    disk,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
