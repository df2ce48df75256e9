import { createOldRowsDeleter, queryOn } from '@service/database';
import type pg from 'pg';

const deleteOld = createOldRowsDeleter({
  table: 'activity.api_call_count',
  time: 'starts_at',
});

/**
 * Deletes the counts of all accounts before a moment, in batches, and at most those of the oldest two days. Returns the number
 * of deleted rows.
 */
export const deleteCallCountsBefore = (pool: pg.Pool, before: Date): Promise<number> =>
  deleteOld(queryOn(pool), { before });
