import { Migrator } from '@mikro-orm/migrations';
import { type EntitySchema, defineConfig } from '@mikro-orm/postgresql';

interface OrmOptions {
  url: string;
  entities: readonly EntitySchema[];
  name: string;
  poolSize: number;
  migrations?: readonly { name: string; class: never }[];
}

/** Schemas that belong to somebody else; MikroORM's diff would drop what it finds there. */
const foreignSchemas = ['graphile_worker', 'jobs', 'accounts'];

export const migrationTable = { tableName: 'migration', schema: 'public' };

export function ormOptions({ url, entities, name, poolSize, migrations }: OrmOptions) {
  return defineConfig({
    clientUrl: url,
    entities: [...entities],
    extensions: [Migrator],
    // Nothing to discover, and modules' schemas are made by their own migrations.
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      application_name: name,
      statement_timeout: 30_000,
      connectionTimeoutMillis: 10_000,
      // Statements that do not wait for each other need not wait for each other's answers.
      pipeline: true,
    },
    forceUtcTimezone: true,
    schemaGenerator: { ignoreSchema: foreignSchemas, createForeignKeyConstraints: false },
    migrations: {
      tableName: migrationTable.tableName,
      snapshot: false,
      migrationsList: [...(migrations ?? [])],
    },
    logger: () => undefined,
  });
}
