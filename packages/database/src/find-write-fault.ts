import type pg from 'pg';
import { isOutOfResources } from './pg-error.ts';

export type WriteFault = 'read_only' | 'no_space';

const isReadOnly = `select current_setting('transaction_read_only')::boolean as read_only`;

// Writes a record to Postgres's log, and some 500 KB to a temporary file: a sort that may use 64 KB of memory needs it. A row
// of a table would prove less, because it fits into the free space of a page for a long time. Nothing is left behind.
const probe = `
  begin;
  set local work_mem = '64kB';
  select pg_logical_emit_message(true, 'probe', '');
  select count(*) from (
    select md5(number::text) || repeat('x', 100) as line from generate_series(1, 4000) number order by line offset 0
  ) sorted;
  commit`;

/** The reason that a database takes no writes; undefined when it does. Throws when it cannot be reached. */
export async function findWriteFault(pool: pg.Pool): Promise<WriteFault | undefined> {
  const client = await pool.connect();
  let isClean = false;
  try {
    const { rows } = await client.query<{ read_only: boolean }>(isReadOnly);
    if (rows[0]!.read_only) {
      isClean = true;
      return 'read_only';
    }
    await client.query(probe);
    isClean = true;
    return undefined;
  } catch (error) {
    if (isOutOfResources(error)) return 'no_space';
    throw error;
  } finally {
    // A connection in a failed transaction is replaced.
    client.release(!isClean);
  }
}
