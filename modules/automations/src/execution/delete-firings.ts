import { roundDaysMax, type Database } from '@service/database';

/**
 * Deletes the keys of all accounts that fired before a moment, those of the oldest two days at most, a batch at a time. Returns
 * how many they were. A rule could fire again for those, so the moment has to lie so far back that nothing can happen in their
 * sessions any more.
 */
export async function deleteFiringsBefore(
  pool: Database['pool'],
  before: Date,
  batch = 5000,
): Promise<number> {
  const { rows } = await pool.query<{ until: Date }>(
    `select least($1, min(fired_at) + make_interval(days => $2)) as until from automations.firing where fired_at < $1`,
    [before, roundDaysMax],
  );
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from automations.firing where ctid = any(array(
         select ctid from automations.firing where fired_at < $1 limit $2))`,
      [rows[0]!.until, batch],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) return deleted;
  }
}
