// npm run migrate: brings the database at DATABASE_URL up to date and says what was applied.
import { migrateService } from '@service/composition';
import { ConfigError, environment, loadLocalEnvFile, readConfig } from '@service/config';

try {
  loadLocalEnvFile();
  const { DATABASE_URL } = readConfig(environment.pick({ DATABASE_URL: true }), process.env);
  const applied = await migrateService(DATABASE_URL);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.');
} catch (error) {
  console.error(describeFailure(error));
  process.exit(1);
}

/** What Postgres or the network says is enough; only a fault of ours comes with its stack. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails with one error for each of them.
  const [first = error] = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return 'code' in first
    ? `The database could not be migrated: ${first.message}`
    : (error.stack ?? error.message);
}
