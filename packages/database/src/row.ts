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
  const pairs = names.map((name) => [name, toSnakeCase(name)] as const);
  const columns = Object.fromEntries(pairs.map(([, columnName]) => [columnName, { types: undefined }]));
  const toEntity = (row: Record<string, unknown>): Record<string, unknown> => {
    const entity: Record<string, unknown> = {};
    for (const [name, columnName] of pairs) {
      const value = row[columnName];
      if (value === undefined) throw new Error(`The row has no column ${columnName}.`);
      entity[name] = value;
    }
    return entity;
  };
  return { columns, toEntity } as unknown as RowMapper<Entity>;
}

export const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
