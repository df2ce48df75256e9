import { serviceEntities, serviceMigrations } from '@service/composition';
import { migrateDatabase } from '@service/database';
import { cloneTemplate } from '@service/database/testing';
import { migrateJobs } from '@service/jobs';
import pg from 'pg';
import { inject } from 'vitest';

export interface FormerDatabase extends AsyncDisposable {
  url: string;
  pool: pg.Pool;
  /** Runs the missing ones of these migrations, and returns their names. */
  migrate(isWanted: (name: string) => boolean): Promise<string[]>;
}

/** A database of an earlier version: it has these migrations and no others. */
export async function createFormerDatabase(isFormer: (name: string) => boolean): Promise<FormerDatabase> {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const migrate: FormerDatabase['migrate'] = (isWanted) =>
    migrateDatabase({
      url,
      entities: serviceEntities,
      migrations: serviceMigrations.filter(({ name }) => isWanted(name)),
      first: () => migrateJobs(url),
    });
  await migrate(isFormer);
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  return {
    url,
    pool,
    migrate,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop();
    },
  };
}
