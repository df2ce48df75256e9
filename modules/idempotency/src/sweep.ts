import { roundDaysMax, type Database } from '@service/database';
import { expiryOf } from './answers.ts';

const batchSize = 5000;

const deleteBatch = `
  delete from idempotency.kept_answer where ctid = any(array(
    select ctid from idempotency.kept_answer where created_at <= $1 order by created_at limit $2 for update skip locked
  ))`;

const findUntil = `
  select least($1, min(created_at) + make_interval(days => $2)) as until from idempotency.kept_answer`;

/** Deletes the answers whose window is over, those of the oldest two days at most, in short transactions; returns how many. */
export async function deleteExpiredAnswers(
  pool: Database['pool'],
  { now, windowHours }: { now: Date; windowHours: number },
): Promise<number> {
  const { rows } = await pool.query<{ until: Date }>(findUntil, [expiryOf(now, windowHours), roundDaysMax]);
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(deleteBatch, [rows[0]!.until, batchSize]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return deleted;
  }
}
