import { MikroORM, type EntitySchema } from '@mikro-orm/postgresql';
import type { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { giveFirstStatistics } from './first-statistics.ts';
import { ormOptions } from './orm-options.ts';

/** A migration with its stored name, such as `20261122190000-check-closed-sets`: the UTC time of its writing, and the change. */
export interface MigrationEntry {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}

interface MigrateOptions {
  url: string;
  entities: readonly EntitySchema[];
  migrations: readonly MigrationEntry[];
}

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
    await options.first?.();
    const applied = await withMigrator(options, (orm) => orm.migrator.up());
    await client.query(giveFirstStatistics());
    return applied.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The names of the missing migrations of a database. */
export async function pendingMigrations(
  pool: pg.Pool,
  migrations: readonly MigrationEntry[],
): Promise<string[]> {
  const exists = await pool.query(`select to_regclass('public.migration') is not null as exists`);
  if (!exists.rows[0].exists) return migrations.map((migration) => migration.name);
  const applied = await pool.query<{ name: string }>('select name from public.migration');
  const names = new Set(applied.rows.map((row) => row.name));
  return migrations.map((migration) => migration.name).filter((name) => !names.has(name));
}

async function withMigrator<Result>(
  options: MigrateOptions,
  use: (orm: MikroORM) => Promise<Result>,
): Promise<Result> {
  const migrations = [...options.migrations].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const orm = await MikroORM.init(
    ormOptions({ ...options, migrations: migrations as never, name: 'migrate', poolSize: 2 }),
  );
  try {
    return await use(orm);
  } finally {
    await orm.close(true);
  }
}
