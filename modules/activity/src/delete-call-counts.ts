import { column, nullable, queryOn, roundDaysMax, statement } from '@service/database';
import type pg from 'pg';

const batchMax = 5000;

const forAll = 'Old counts of all accounts are deleted.';

const findUntil = statement({
  name: 'activity.find_old_counts',
  text: 'select least($1, min(starts_at) + make_interval(days => $2)) as until from activity.api_call_count',
  row: { until: nullable(column.time) },
  allAccounts: forAll,
});

const deleteBatch = statement({
  name: 'activity.delete_old_counts',
  text: `
    with deleted as (
      delete from activity.api_call_count where ctid = any(array(
        select ctid from activity.api_call_count where starts_at < $1 limit ${batchMax}))
      returning 1
    )
    select count(*)::int as deleted from deleted`,
  row: { deleted: column.integer },
  allAccounts: forAll,
});

/**
 * Deletes the counts of all accounts before a moment, in batches, and at most those of the oldest two days. Returns the number
 * of deleted rows.
 */
export async function deleteCallCountsBefore(pool: pg.Pool, before: Date): Promise<number> {
  const query = queryOn(pool);
  const [old] = await query(findUntil, [before, roundDaysMax]);
  let deleted = 0;
  for (let last = batchMax; last === batchMax; deleted += last) {
    const [batch] = await query(deleteBatch, [old!.until]);
    last = batch!.deleted;
  }
  return deleted;
}
