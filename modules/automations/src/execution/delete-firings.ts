import type { Database } from '@service/database';

/**
 * Forgets of all accounts what fired before a moment, a batch at a time, and tells how many keys they were. A rule could fire
 * again for those, so the moment has to lie so far back that nothing can happen in their sessions any more.
 */
export async function deleteFiringsBefore(
  pool: Database['pool'],
  before: Date,
  batch = 5000,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from automations.firing where ctid = any(array(
         select ctid from automations.firing where fired_at < $1 limit $2))`,
      [before, batch],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) return deleted;
  }
}
