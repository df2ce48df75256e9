import type pg from 'pg';

export interface Field {
  name: string;
  /** The OID of the type. */
  dataTypeID: number;
}

/** The part of node-postgres' connection that sends messages of the extended protocol. */
interface Connection {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Asks Postgres for the columns of a statement, without running it. */
export function describeStatement(client: pg.Client, text: string): Promise<Field[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Field[]>();
  let fields: Field[] = [];
  client.query({
    submit(connection: Connection) {
      connection.parse({ name: '', text, types: [] });
      connection.describe({ type: 'S', name: '' });
      connection.sync();
    },
    handleRowDescription: (message: { fields: Field[] }) => void ({ fields } = message),
    handleReadyForQuery: () => resolve(fields),
    handleError: reject,
  } as unknown as pg.Submittable);
  return promise;
}
