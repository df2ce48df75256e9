import { roundDaysMax } from '@service/database';
import type pg from 'pg';

const batchMax = 5000;

/**
 * Deletes the counts of all accounts before a moment, in batches, and at most those of the oldest two days. Returns the number
 * of deleted rows.
 */
export async function deleteCallCountsBefore(pool: pg.Pool, before: Date): Promise<number> {
  const { rows } = await pool.query<{ until: Date }>(
    `select least($1, min(starts_at) + make_interval(days => $2)) as until from activity.api_call_count`,
    [before, roundDaysMax],
  );
  let deleted = 0;
  for (let last = batchMax; last === batchMax; deleted += last) {
    const { rowCount } = await pool.query(
      `delete from activity.api_call_count where ctid = any(array(
         select ctid from activity.api_call_count where starts_at < $1 limit ${batchMax}))`,
      [rows[0]!.until],
    );
    last = rowCount ?? 0;
  }
  return deleted;
}
