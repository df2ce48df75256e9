import { createLog } from '@service/log';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { bridgeLogger } from './bridge-logger.ts';
import { createCronTable } from './run-crons.ts';

/** Migrates graphile-worker's schema and the table of crons. Runs before our migrations, which may add jobs. */
export async function migrateJobs(url: string): Promise<void> {
  await runMigrations({
    connectionString: url,
    maxPoolSize: 2,
    logger: bridgeLogger(createLog('migrate', { level: 'warn' })),
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(createCronTable);
  } finally {
    await client.end();
  }
}
