// npm run migrate: brings the database at DATABASE_URL up to date and says what was applied.
import { migrateService } from '@service/composition';
import { ConfigError, environment, loadLocalEnvFile, readConfig } from '@service/config';

try {
  loadLocalEnvFile();
  const { DATABASE_URL } = readConfig(environment.pick({ DATABASE_URL: true }), process.env);
  const applied = await migrateService(DATABASE_URL);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.');
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
