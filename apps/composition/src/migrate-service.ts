import { ensurePartitions, migrateDatabase, readDatabaseTime } from '@service/database';
import { migrateJobs } from '@service/jobs';
import pg from 'pg';
import { serviceEntities, serviceMigrations, servicePartitionedTables } from './modules.ts';

/** Partitions are created for this number of days ahead. The worker adds one every day. */
const daysAhead = 7;

/** Brings a database up to date: the job queue's own schema, every module's migrations, and partitions for the next days. */
export async function migrateService(url: string, now?: Date): Promise<string[]> {
  const applied = await migrateDatabase({
    url,
    entities: serviceEntities,
    migrations: serviceMigrations,
    first: () => migrateJobs(url),
  });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await ensurePartitions(pool, servicePartitionedTables, {
      now: now ?? (await readDatabaseTime(pool)),
      daysAhead,
    });
  } finally {
    await pool.end();
  }
  return applied;
}
