import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateService } from '@service/composition';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import { Client } from 'pg';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

export interface ChaosPostgres extends AsyncDisposable {
  /** Copies the migrated database, or an empty one; returns the URL of the copy, which stays the same over stops and starts. */
  createDatabase(name: string, options?: { isEmpty?: boolean }): Promise<string>;
  /** Fast: sessions are cut, what they committed is kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Kills the server's main process (-9). Resolves when it has ended; `start` recovers from its log. */
  kill(): Promise<void>;
  /** Contains the tables of the databases, but not the server's log; only where a drill asked for it. */
  disk: SmallDisk | undefined;
}

/** A PostgreSQL of our own with its usual settings and one migrated database, removed afterwards. */
export async function openChaosPostgres({ smallDisk = false } = {}): Promise<ChaosPostgres> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'service-chaos-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // As root the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  let server = await startEmbeddedPostgres({ dataDir });
  const { adminUrl, port, url } = server;
  opened.defer(() => server.stop({ immediate: true }));
  await migrateService(url);
  const admin = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
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
      server = await startEmbeddedPostgres({ dataDir, port });
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
