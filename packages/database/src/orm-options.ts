import { defineConfig, type EntityMetadata, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { connectionOptions, idleMaxMs, usualSettings } from './connection-settings.ts';
import { declaredStatements } from './query.ts';

interface OrmOptions {
  url: string;
  isPooled?: boolean;
  entities: readonly EntitySchema[];
  name: string;
  poolSize: number;
}

/** Metadata of entities, from the first database that this process opened with them. To make it takes 30 ms of CPU. */
const knownMetadata = new WeakMap<readonly EntitySchema[], EntityMetadata[]>();

/** Schemas without entities. MikroORM's diff would drop their tables. */
const foreignSchemas = ['public', 'graphile_worker', 'jobs', 'accounts'];

export function ormOptions({ url, isPooled = false, entities, name, poolSize }: OrmOptions) {
  const known = knownMetadata.get(entities);
  return defineConfig({
    clientUrl: url,
    entities: known ? [] : [...entities],
    discovery: {
      // Entities are passed in, and the migrations of the modules create their tables.
      warnWhenNoEntities: false,
      afterDiscovered(found) {
        if (known) for (const metadata of known) found.set(metadata.class, metadata);
        else knownMetadata.set(entities, [...found.getAll().values()]);
      },
    },
    pool: { min: 1, max: poolSize, idleTimeoutMillis: idleMaxMs },
    driverOptions: {
      application_name: name,
      connectionTimeoutMillis: 10_000,
      // With the URL, because MikroORM leaves out its parameters, such as sslmode.
      ...connectionOptions(url, { ...usualSettings, statement_timeout: 30_000 }, isPooled),
      // Sends further statements before the answers of earlier ones arrive.
      pipeline: true,
    },
    forceUtcTimezone: true,
    // Accessors on the entities would propagate relations, and there are none.
    propagationOnPrototype: false,
    // Functions are only in migrations, and the diff would drop them.
    schemaGenerator: {
      ignoreSchema: foreignSchemas,
      ignoreRoutines: true,
      createForeignKeyConstraints: false,
    },
    logger: () => undefined,
  });
}

interface NamedText {
  /** Several may have the same name. */
  name: string;
  text: string;
}

/**
 * The statements of all modules that were imported, and for each entity one that reads all of its columns, as the ORM does. Those of
 * better-auth and graphile-worker are not in it.
 */
export function listStatements(entities: readonly EntitySchema[]): NamedText[] {
  const statements = declaredStatements().map(({ name, text }) => ({ name: name ?? 'without a name', text }));
  // The constructor does not connect.
  const orm = new MikroORM(
    ormOptions({ url: 'postgres://localhost/none', entities, name: 'list', poolSize: 1 }),
  );
  const read = [...orm.getMetadata().getAll().values()].map(({ className, schema, tableName, props }) => {
    const columns = props.flatMap(({ fieldNames }) => fieldNames).map((column) => `"${column}"`);
    return {
      name: `entity ${className}`,
      text: `select ${columns.join(', ')} from "${schema}"."${tableName}"`,
    };
  });
  const key = ({ name, text }: NamedText): string => `${name}\n${text}`;
  return [...statements, ...read].toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
