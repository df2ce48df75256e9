import type { Database } from '@service/database';
import { expiryOf } from './answers.ts';

const batchSize = 5000;

const deleteBatch = `
  delete from idempotency.kept_answer where ctid = any(array(
    select ctid from idempotency.kept_answer where created_at <= $1 order by created_at limit $2 for update skip locked
  ))`;

/** Deletes the answers whose window is over, in short transactions; returns how many. */
export async function deleteExpiredAnswers(
  pool: Database['pool'],
  { now, windowHours }: { now: Date; windowHours: number },
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(deleteBatch, [expiryOf(now, windowHours), batchSize]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return deleted;
  }
}
