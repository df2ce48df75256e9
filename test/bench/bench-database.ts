import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateService, serviceEntities } from '@service/composition';
import { openDatabase, type Database } from '@service/database';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import pg from 'pg';

export interface BenchDatabase extends AsyncDisposable {
  database: Database;
  /** For other processes. */
  url: string;
}

/** The database DATABASE_URL names, or a PostgreSQL of our own with its usual settings, which is removed afterwards. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  await using opened = new AsyncDisposableStack();
  const url = process.env['DATABASE_URL'] ?? (await startTemporaryPostgres(opened));
  await migrateService(url);
  const database = await openDatabase({ url, entities: serviceEntities, name: 'bench' });
  opened.defer(() => database.close());
  const kept = opened.move();
  return { database, url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** A new database beside another on its server, migrated and otherwise empty; removed afterwards. */
export async function openDatabaseBeside({
  database,
  url,
}: Pick<BenchDatabase, 'database' | 'url'>): Promise<BenchDatabase> {
  await using opened = new AsyncDisposableStack();
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await database.pool.query(`create database ${name}`);
  opened.defer(async () => void (await database.pool.query(`drop database ${name} with (force)`)));
  const beside = new URL(url);
  beside.pathname = `/${name}`;
  await migrateService(beside.href);
  const own = await openDatabase({ url: beside.href, entities: serviceEntities, name: 'bench' });
  opened.defer(() => own.close());
  const kept = opened.move();
  return { database: own, url: beside.href, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function startTemporaryPostgres(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'service-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // As root the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), settings });
  opened.defer(() => server.stop({ immediate: true }));
  // It is a cost of each statement. Only `grow` switches it on, so its times include it.
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`alter system set pg_stat_statements.track = 'none'`);
  await client.query('select pg_reload_conf()');
  await client.end();
  return server.url;
}
