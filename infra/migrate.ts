// npm run migrate: runs the pending migrations on DATABASE_URL and prints their names.
import { migrateService } from '@service/composition';
import { ConfigError, endProcess, environment, loadLocalEnvFile, readConfig } from '@service/config';

try {
  loadLocalEnvFile();
  const { DATABASE_URL } = readConfig(environment.pick({ DATABASE_URL: true }), process.env);
  const applied = await migrateService(DATABASE_URL);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.');
} catch (error) {
  console.error(describeFailure(error));
  endProcess(1);
}

/** The message of an error of Postgres, the network or a former version; an unexpected error with its stack. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails with one error for each address.
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return 'code' in first
    ? `The database could not be migrated: ${first.message}`
    : (error.stack ?? error.message);
}
