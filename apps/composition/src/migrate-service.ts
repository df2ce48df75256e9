import { ensurePartitions, migrateDatabase, readDatabaseTime } from '@service/database';
import { migrateJobs } from '@service/jobs';
import pg from 'pg';
import { serviceMigrations, servicePartitionedTables } from './modules.ts';

interface MigrateOptions {
  /** Gets lines about the progress. */
  report?: (line: string) => void;
  /** Partitions are created for this number of days ahead; 7. The worker adds one every day. */
  daysAhead?: number;
}

/** Brings a database up to date: the job queue's own schema, every module's migrations, and partitions for the next days. */
export async function migrateService(
  url: string,
  { report, daysAhead = 7 }: MigrateOptions = {},
): Promise<string[]> {
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
