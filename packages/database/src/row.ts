// The rows of statements. A statement declares its columns, and the types of its rows follow from them. A test asks Postgres for
// the columns of every statement, so a column with another name or type is found there.

/** The part of an entity schema that is needed here. */
interface Schema<Entity extends object> {
  properties: Record<string, unknown>;
  '~entity': Entity;
}

/** A column of a result: the type of its values, and the Postgres types that have such values. */
export interface Column<Value> {
  /** OIDs of `pg_type`. Undefined for any type. */
  types: readonly number[] | undefined;
  /** Never set. It gives the type of the values. */
  '~value'?: Value;
}

export type Columns<Row extends object> = { [Name in keyof Row]: Column<Row[Name]> };

/** The rows with these columns. */
export type RowWith<Of> = { [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never };

const columnOf = <Value>(...types: number[]): Column<Value> => ({ types });

/** Columns as node-postgres reads them. OIDs: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
export const column = {
  id: columnOf<string>(2950),
  ids: columnOf<string[]>(2951),
  text: columnOf<string>(25, 1043),
  texts: columnOf<string[]>(1009),
  integer: columnOf<number>(21, 23),
  float: columnOf<number>(701),
  /** int8, which may not fit into a number. */
  digits: columnOf<string>(20),
  boolean: columnOf<boolean>(16),
  time: columnOf<Date>(1184),
  bytes: columnOf<Buffer>(17),
  /** Text from a closed set. */
  textOf: <Value extends string>(): Column<Value> => columnOf(25, 1043),
  textsOf: <Value extends string>(): Column<Value[]> => columnOf(1009),
  json: <Value>(): Column<Value> => columnOf(114, 3802),
};

export const nullable = <Value>({ types }: Column<Value>): Column<Value | null> => ({ types });

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** A row with the columns of an entity: `startsAt` is `starts_at`. */
export type RowOf<Entity extends object> = {
  [Name in keyof Entity & string as SnakeCase<Name>]: Entity[Name];
};

interface RowMapper<Entity extends object> {
  /** For the declaration of a statement that returns these columns. */
  columns: Columns<RowOf<Entity>>;
  /** Throws if the row lacks a column. */
  toEntity: (row: RowOf<Entity>) => Entity;
}

/** The columns of an entity and the function that reads such a row. */
export const entityRow = <Entity extends object>(schema: Schema<Entity>): RowMapper<Entity> =>
  mapperOf(Object.keys(schema.properties));

/** Like entityRow, for statements that return only some columns. */
export const partialRow = <Entity extends object, Name extends keyof Entity & string>(
  _schema: Schema<Entity>,
  names: readonly Name[],
): RowMapper<Pick<Entity, Name>> => mapperOf(names);

function mapperOf<Entity extends object>(names: readonly string[]): RowMapper<Entity> {
  const columns = Object.fromEntries(names.map((name) => [toSnakeCase(name), { types: undefined }]));
  return { columns, toEntity: compileToEntity(names) } as unknown as RowMapper<Entity>;
}

/**
 * Makes a function that has the names in its code. A loop over names in a variable takes twenty times as long, a microsecond for a row of
 * twenty columns. The ORM makes such functions in the same way.
 */
function compileToEntity(names: readonly string[]): (row: object) => unknown {
  const fields = names.map((name) => {
    const column = JSON.stringify(toSnakeCase(name));
    return `${JSON.stringify(name)}: row[${column}] === undefined ? refuse(${column}) : row[${column}]`;
  });
  const refuse = (column: string): never => {
    throw new Error(`The row has no column ${column}.`);
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- The text has only names of our own entities.
  return new Function('refuse', `return (row) => ({ ${fields.join(', ')} })`)(refuse);
}

export const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
