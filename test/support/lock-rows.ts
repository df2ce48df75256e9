import type pg from 'pg';

/** The connections to the database that wait for a lock, with a statement like a pattern. */
export async function countWaiting(pool: pg.Pool, statement = '%'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [statement],
  );
  return rows[0]!.count;
}

export interface LockedRows extends AsyncDisposable {
  /** Ends the transaction and undoes what it did. */
  release(): Promise<void>;
}

/** Runs a statement in a transaction that stays open: the rows or tables that it locks or makes are locked until `release`. */
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
