import { ensurePartitions, migrateDatabase, readDatabaseTime } from '@service/database';
import { migrateJobs } from '@service/jobs';
import pg from 'pg';
import { serviceMigrations, servicePartitionedTables } from './modules.ts';

/** Partitions are created for this number of days ahead. The worker adds one every day. */
const daysAhead = 7;

/**
 * Brings a database up to date: the job queue's own schema, every module's migrations, and partitions for the next days. `report`
 * gets lines about the progress.
 */
export async function migrateService(url: string, report?: (line: string) => void): Promise<string[]> {
  const applied = await migrateDatabase({
    url,
    migrations: serviceMigrations,
    first: () => migrateJobs(url),
    ...(report && { report }),
  });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await ensurePartitions(pool, servicePartitionedTables, {
      now: await readDatabaseTime(pool),
      daysAhead,
    });
  } finally {
    await pool.end();
  }
  return applied;
}
