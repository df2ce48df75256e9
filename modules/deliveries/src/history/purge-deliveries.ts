import { column, statement, type Query } from '@service/database';

const selectBatch = statement({
  name: 'deliveries.select_purge_batch',
  text: `
    select id, coalesce(body_id, id) as "bodyId" from deliveries.delivery where account_id = $1 order by id limit $2`,
  row: { id: column.id, bodyId: column.id },
});

// Attempts and bodies have no index by account. Arrays of ids let the plan find them by their keys.
const deleteBatch = statement({
  name: 'deliveries.delete_purge_batch',
  text: `
    with attempts as (
      delete from deliveries.attempt where delivery_id = any($2::uuid[]) and account_id = $1
    ), bodies as (
      delete from deliveries.body where id = any($3::uuid[]) and account_id = $1
    )
    delete from deliveries.delivery where id = any($2::uuid[]) and account_id = $1`,
});

/** Removes deliveries of a deleted workspace with their attempts and bodies. Returns how many deliveries. */
export async function purgeDeliveries(query: Query, accountId: string, limit: number): Promise<number> {
  const batch = await query(selectBatch, [accountId, limit]);
  if (batch.length === 0) return 0;
  await query(deleteBatch, [accountId, batch.map(({ id }) => id), batch.map(({ bodyId }) => bodyId)]);
  return batch.length;
}
