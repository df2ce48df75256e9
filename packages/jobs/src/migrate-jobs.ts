import { createLog } from '@service/log';
import { runMigrations } from 'graphile-worker';
import { bridgeLogger } from './bridge-logger.ts';

/** Brings graphile-worker's own schema up to date; runs before our migrations, which may add jobs. */
export async function migrateJobs(url: string): Promise<void> {
  await runMigrations({
    connectionString: url,
    maxPoolSize: 2,
    logger: bridgeLogger(createLog('migrate', { level: 'warn' })),
  });
}
