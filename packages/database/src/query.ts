import pg from 'pg';

/** A hot statement: a connection prepares it once, under its name. Unnamed ones are planned anew each time. */
export interface Statement {
  name?: string;
  text: string;
}

/**
 * Runs a statement beside the unit of work, with none of its cost: in the transaction where there is one, else on any
 * connection. Columns come as the database names them, times as Date.
 */
export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

export const queryOn =
  (connection: Pick<pg.Pool | pg.ClientBase, 'query'>): Query =>
  async <Row extends pg.QueryResultRow>(statement: Statement, values: readonly unknown[]) => {
    // The ORM's connections read times as text; a statement gets the same values whoever runs it.
    const { rows } = await connection.query<Row>({ ...statement, values: [...values], types: pg.types });
    return rows;
  };

const entityNames = new Map<string, string>();

/** A row of `select *` under the names that the entity gives its columns: `starts_at` is `startsAt`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- whoever wrote the statement knows what it selects
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
