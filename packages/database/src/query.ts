import pg from 'pg';

/** A statement. With a name each connection prepares it once. Without a name it is planned each time. */
export interface Statement {
  name?: string;
  text: string;
}

/**
 * Runs a statement without the unit of work and its cost, in the transaction if there is one, else on any connection. Columns have
 * their names in the database, and times are Date.
 */
export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

export const queryOn =
  (connection: Pick<pg.Pool | pg.ClientBase, 'query'>): Query =>
  async <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) => {
    // The connections of the ORM read times as text. A statement has the same values on all connections.
    const { rows } = await connection.query<Row>({ ...statement, values: [...values], types: pg.types });
    return rows;
  };

const entityNames = new Map<string, string>();

/** A row of `select *` with the property names of its entity: `starts_at` becomes `startsAt`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the columns of its statement
export function rowToEntity<Entity extends object>(row: pg.QueryResultRow): Entity {
  const entity: Record<string, unknown> = {};
  for (const column in row) {
    let name = entityNames.get(column);
    if (name === undefined) {
      name = column.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
      entityNames.set(column, name);
    }
    entity[name] = row[column];
  }
  return entity as Entity;
}
