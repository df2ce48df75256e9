import { MikroORM, type EntitySchema } from '@mikro-orm/postgresql';
import type { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { giveFirstStatistics } from './first-statistics.ts';
import { ormOptions } from './orm-options.ts';

/** A migration with its stored name, such as `202611250445-create-webinars`: the UTC time of its writing, and the change. */
export interface MigrationEntry {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
  /** Of a baseline: the last one of the former migrations that it is the sum of. */
  replaces?: string;
}

/** The database has a part of the former migrations only. The code makes `npm run migrate` print the message without a stack. */
class FormerVersionError extends Error {
  readonly code = 'former_version';
}

interface MigrateOptions {
  url: string;
  entities: readonly EntitySchema[];
  migrations: readonly MigrationEntry[];
}

/** The last commit that has the former migrations. */
const formerCommit = '77e66717';

/** A fixed number. Two processes that migrate at the same time take turns. */
const migrationLock = 7_216_340_551;

/**
 * Applies the missing migrations in the order of their names. `first` runs before them (graphile-worker's schema). Several
 * processes may call it at the same time. Returns the names of the applied migrations.
 */
export async function migrateDatabase(
  options: MigrateOptions & { first?: () => Promise<void> },
): Promise<string[]> {
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await takeOverFormer(client, options.migrations);
    await options.first?.();
    const applied = await applyMissing(options);
    await client.query(giveFirstStatistics());
    return applied;
  } finally {
    await client.end();
  }
}

/** The names of the missing migrations of a database. */
export async function pendingMigrations(
  pool: pg.Pool,
  migrations: readonly MigrationEntry[],
): Promise<string[]> {
  const applied = await readApplied(pool);
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function readApplied(connection: pg.Pool | pg.Client): Promise<Set<string>> {
  const exists = await connection.query(`select to_regclass('public.migration') is not null as exists`);
  if (!exists.rows[0].exists) return new Set();
  const applied = await connection.query<{ name: string }>('select name from public.migration');
  return new Set(applied.rows.map(({ name }) => name));
}

/**
 * A database with all former migrations has what the baselines create. They are recorded in place of the former names, in one
 * statement. A database with a part of the former migrations is refused, and nothing is written.
 */
async function takeOverFormer(client: pg.Client, migrations: readonly MigrationEntry[]): Promise<void> {
  const baselines = migrations.filter(({ replaces }) => replaces !== undefined);
  const applied = await readApplied(client);
  // Later names that are unknown here are those of a later version.
  const former = [...applied].filter((name) => baselines.every((baseline) => name < baseline.name));
  if (baselines.length === 0 || former.length === 0) return;
  if (!baselines.every(({ replaces }) => applied.has(replaces!)))
    throw new FormerVersionError(
      `it is of a version before commit ${formerCommit}. Check out that commit and migrate the database with it first, or begin ` +
        'with an empty database.',
    );
  await client.query(
    `with former as (delete from public.migration where name = any($1))
     insert into public.migration (name) select unnest($2::text[])`,
    [former, baselines.map(({ name }) => name)],
  );
}

/** Returns the names of the migrations that were missing. */
async function applyMissing(options: MigrateOptions): Promise<string[]> {
  const migrations = [...options.migrations].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const orm = await MikroORM.init(
    ormOptions({ ...options, migrations: migrations as never, name: 'migrate', poolSize: 2 }),
  );
  try {
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}
