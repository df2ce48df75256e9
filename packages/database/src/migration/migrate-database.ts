import type pg from 'pg';
import { giveFirstStatistics } from '../first-statistics.ts';
import { openMigrationSession, type MigrationSession, type SessionOptions } from './migration-session.ts';
import type { MigrationEntry } from './migration.ts';
import { prepareRecords, runMigration } from './run-migration.ts';

/** The code makes `npm run migrate` print the message without a stack. */
class TooOldError extends Error {
  readonly code = 'too_old';
}

interface MigrateOptions extends SessionOptions {
  migrations: readonly MigrationEntry[];
  /** Runs before the migrations (graphile-worker's schema). */
  first?: () => Promise<void>;
}

/** A fixed number. Two processes that migrate at the same time take turns. */
const migrationLock = 7_216_340_551;

/**
 * Applies the missing migrations in the order of their names, while other processes go on. Several processes may call it at the same
 * time. Returns the names of the applied migrations. A call that was killed is continued by the next one.
 */
export async function migrateDatabase({ migrations, first, ...options }: MigrateOptions): Promise<string[]> {
  await using session = await openMigrationSession(options);
  const { client } = session;
  await takeTurn(session);
  await refuseTooOld(client, migrations);
  await first?.();
  await prepareRecords(session);
  const applied = new Set((await readMigrations(client)).map(({ name }) => name));
  const missing = migrations
    .filter(({ name }) => !applied.has(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const migration of missing) await runMigration(session, migration);
  await client.query(giveFirstStatistics());
  return missing.map(({ name }) => name);
}

/**
 * Waits until no other process migrates. The lock ends with the connection of a process. It is asked for again and again, because a
 * statement that waits for it would be a transaction, which an index that is built meanwhile would wait for.
 */
const takeTurn = ({ client, untilFree }: MigrationSession): Promise<void> =>
  untilFree(
    'This migration',
    async () => {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [migrationLock]);
      return rows[0].taken;
    },
    migrator,
  );

const migrator = `
  select 'Another process migrates this database: the connection' as role, application_name as name, a.pid,
    extract(epoch from clock_timestamp() - backend_start)::int as seconds
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and a.datname = current_database() and a.pid <> $1
    and (l.classid::bigint << 32) | l.objid::bigint = ${migrationLock}`;

/** A migration that a database has. */
interface AppliedMigration {
  name: string;
  /** See `MigrationEntry`. */
  compatibleFrom: string | null;
}

/** The migrations that a database has, also when a former version has recorded them. */
export async function readMigrations(connection: pg.Pool | pg.Client): Promise<AppliedMigration[]> {
  const exists = await connection.query(`select to_regclass('public.migration') is not null as exists`);
  if (!exists.rows[0].exists) return [];
  const { rows } = await connection.query<AppliedMigration>(
    `select name, to_jsonb(migration) ->> 'compatible_from' as "compatibleFrom" from public.migration`,
  );
  return rows;
}

/** A database of a version from before the first migrations is refused before anything is written. */
async function refuseTooOld(client: pg.Client, migrations: readonly MigrationEntry[]): Promise<void> {
  const applied = await readMigrations(client);
  const older = applied.find(({ name }) => migrations.every((migration) => name < migration.name));
  if (older)
    throw new TooOldError(
      `it has the migration ${older.name}, which is older than all of this version. Upgrade it one version at a time, or begin with ` +
        'an empty database.',
    );
}
