import type pg from 'pg';
import { isOutOfResources } from './pg-error.ts';

export type WriteFault = 'read_only' | 'no_space';

const isReadOnly = `select current_setting('transaction_read_only')::boolean as read_only`;

// Writes a record to the write-ahead log, and some 500 KB to a temporary file, because the sort may use only 64 KB of memory. A row
// of a table would prove less: it may fit into the free space of a page. Nothing is stored.
const probe = `
  begin;
  set local work_mem = '64kB';
  select pg_logical_emit_message(true, 'probe', '');
  select count(*) from (
    select md5(number::text) || repeat('x', 100) as line from generate_series(1, 4000) number order by line offset 0
  ) sorted;
  commit`;

/** The reason why a database takes no writes, or undefined when it takes them. Throws when it cannot be reached. */
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
