import { type EntitySchema, defineConfig } from '@mikro-orm/postgresql';

interface OrmOptions {
  url: string;
  entities: readonly EntitySchema[];
  name: string;
  poolSize: number;
}

/** Schemas without entities. MikroORM's diff would drop their tables. */
const foreignSchemas = ['public', 'graphile_worker', 'jobs', 'accounts'];

/**
 * Settings of each connection. Postgres finds partitions by their bounds. It would also compare the checks of each partition with
 * the statement: with ninety partitions a quarter of the planning time.
 */
export const connectionSettings = '-c constraint_exclusion=off';

export function ormOptions({ url, entities, name, poolSize }: OrmOptions) {
  return defineConfig({
    clientUrl: url,
    entities: [...entities],
    // Entities are passed in, and the migrations of the modules create their tables.
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      application_name: name,
      statement_timeout: 30_000,
      options: connectionSettings,
      connectionTimeoutMillis: 10_000,
      // Sends further statements before the answers of earlier ones arrive.
      pipeline: true,
    },
    forceUtcTimezone: true,
    // Functions are only in migrations, and the diff would drop them.
    schemaGenerator: {
      ignoreSchema: foreignSchemas,
      ignoreRoutines: true,
      createForeignKeyConstraints: false,
    },
    logger: () => undefined,
  });
}
