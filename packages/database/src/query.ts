import pg from 'pg';
import type { Columns } from './row.ts';

/** A statement with `$n` for its values. */
export interface Statement<Row extends object = object> {
  /** With a name each connection prepares the statement once. Without a name it is planned each time. */
  name?: string;
  text: string;
  /** The columns of its rows. Left out when no row is read. */
  row?: Columns<Row>;
  /** The reason why a statement reads or changes rows of every account. Without it each table must be bound to an account. */
  allAccounts?: string;
}

/** The type of a statement's rows. */
export type RowsOf<Of> = Of extends Statement<infer Row> ? Row : never;

const declared: Statement[] = [];

/** The statements of all modules that were imported, for tests and releases. */
export const declaredStatements = (): readonly Statement[] => declared;

/**
 * Declares a statement. Call it once for each text, when the module is loaded. A test compares the columns with the database, and
 * checks that every table is bound to an account.
 */
export function statement<Row extends object = object>(definition: Statement<Row>): Statement<Row> {
  declared.push(definition);
  return definition;
}

/**
 * Runs a statement without the unit of work and its cost, in the transaction if there is one, else on any connection. Columns have
 * their names in the database, and times are Date.
 */
export type Query = <Row extends object = pg.QueryResultRow>(
  statement: Statement<Row>,
  values: readonly unknown[],
) => Promise<Row[]>;

export const queryOn =
  (connection: Pick<pg.Pool | pg.ClientBase, 'query'>): Query =>
  async <Row extends object>({ name, text }: Statement<Row>, values: readonly unknown[]) => {
    // The connections of the ORM read times as text. A statement has the same values on all connections.
    const result = await connection.query<Row & pg.QueryResultRow>({
      ...(name === undefined ? undefined : { name }),
      text,
      values: [...values],
      types: pg.types,
    });
    const { rows } = result;
    // V8 may free the result object late, and then its rows as well. With the rows in it an API under load took a quarter more memory.
    result.rows = [];
    return rows;
  };
