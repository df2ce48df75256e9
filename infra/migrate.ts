// npm run migrate: runs the missing migrations on DATABASE_SESSION_URL or DATABASE_URL, and prints their progress and their names.
import { migrateService } from '@service/composition';
import { ConfigError, endProcess, environment, loadLocalEnvFile, readConfig } from '@service/config';

try {
  loadLocalEnvFile();
  const variables = environment.pick({ DATABASE_URL: true, DATABASE_SESSION_URL: true });
  const { DATABASE_URL, DATABASE_SESSION_URL } = readConfig(variables, process.env);
  const applied = await migrateService(DATABASE_SESSION_URL ?? DATABASE_URL, { report: console.log });
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.');
} catch (error) {
  console.error(describeFailure(error));
  endProcess(1);
}

/** The message of an error of Postgres, the network, a lock or a database that is too old; an unexpected error with its stack. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails with one error for each address.
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return 'code' in first
    ? `The database could not be migrated: ${first.message}`
    : (error.stack ?? error.message);
}
