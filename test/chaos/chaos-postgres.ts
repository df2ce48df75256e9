import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateService } from '@service/composition';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import { Client } from 'pg';

export interface ChaosPostgres extends AsyncDisposable {
  /** Copies the migrated database; returns the URL of the copy, which stays the same over stops and starts. */
  createDatabase(name: string): Promise<string>;
  /** Fast: sessions are cut, what they committed is kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A PostgreSQL of our own with its usual settings and one migrated database, removed afterwards. */
export async function openChaosPostgres(): Promise<ChaosPostgres> {
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

  const kept = opened.move();
  return {
    async createDatabase(name) {
      const client = new Client({ connectionString: adminUrl });
      await client.connect();
      try {
        await client.query(`create database "${name}" template app`);
      } finally {
        await client.end();
      }
      const copy = new URL(url);
      copy.pathname = `/${name}`;
      return copy.href;
    },
    stop: () => server.stop(),
    async start() {
      server = await startEmbeddedPostgres({ dataDir, port });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
