import type pg from 'pg';

const batchMax = 5000;

/** Deletes the counts of all accounts from before a moment, a batch at a time, and tells how many rows they were. */
export async function deleteCallCountsBefore(pool: pg.Pool, before: Date): Promise<number> {
  let deleted = 0;
  for (let last = batchMax; last === batchMax; deleted += last) {
    const { rowCount } = await pool.query(
      `delete from activity.api_call_count where ctid = any(array(
         select ctid from activity.api_call_count where starts_at < $1 limit ${batchMax}))`,
      [before],
    );
    last = rowCount ?? 0;
  }
  return deleted;
}
