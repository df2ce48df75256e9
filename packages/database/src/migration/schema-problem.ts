import type pg from 'pg';
import { readMigrations } from './migrate-database.ts';
import { isCompatible, type MigrationEntry } from './migration.ts';

interface SchemaProblem {
  status: string;
  /** The names of the missing migrations. */
  pending?: string[];
}

/**
 * The reason why a process with these migrations must not work on a database: migrations are missing, or the database has one of a
 * later version that does not allow processes of this version beside it (`compatibleFrom`). Undefined when there is none.
 */
export async function findSchemaProblem(
  pool: pg.Pool,
  migrations: readonly MigrationEntry[],
): Promise<SchemaProblem | undefined> {
  const applied = await readMigrations(pool);
  const known = migrations.map(({ name }) => name).toSorted();
  const appliedNames = new Set(applied.map(({ name }) => name));
  const pending = known.filter((name) => !appliedNames.has(name));
  if (pending.length > 0) return { status: 'migrations pending', pending };

  const knownNames = new Set(known);
  const later = applied.filter(({ name }) => !knownNames.has(name));
  const refusing = later.find(({ compatibleFrom }) => !isCompatible(compatibleFrom, knownNames));
  if (refusing === undefined) return undefined;
  return {
    status:
      `this version is too old for the database: migration ${refusing.name} works only with versions that have ` +
      `migration ${refusing.compatibleFrom ?? refusing.name}, and this one does not`,
  };
}
