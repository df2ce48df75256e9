import type pg from 'pg';

export interface LockedRows extends AsyncDisposable {
  /** Ends the transaction and undoes what it did. */
  release(): Promise<void>;
}

/** Runs a statement in a transaction that stays open: the rows it locks or makes are locked until `release`. */
export async function lockRows(pool: pg.Pool, sql: string, values: readonly unknown[]): Promise<LockedRows> {
  const connection = await pool.connect();
  let isOpen = true;
  const release = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await connection.query('rollback');
    connection.release();
  };
  await connection.query('begin');
  const { rowCount } = await connection.query(sql, [...values]);
  if (rowCount === 0) throw new Error('There was no row to lock.');
  return { release, [Symbol.asyncDispose]: release };
}
