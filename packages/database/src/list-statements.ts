import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from './orm-options.ts';
import { declaredStatements } from './query.ts';

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
