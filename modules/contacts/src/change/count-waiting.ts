import { column, nullable, statement, type AccountQueries } from '@service/database';

/** The changes of a connection that were not sent yet. */
export interface WaitingChanges {
  people: number;
  /** The first fact of the change that waits longest. Null: nothing waits. */
  oldestAt: Date | null;
}

/** A count ends here. */
const peopleMax = 100_000;

const countWaiting = statement({
  name: 'contacts.count_waiting',
  text: `
    select c.id, (select count(*)::int from (
        select from contacts.change w where w.account_id = $1 and w.connection_id = c.id limit ${peopleMax}) waiting) as people,
      (select o.first_at from contacts.change o where o.account_id = $1 and o.connection_id = c.id order by o.first_at limit 1) as "oldestAt"
    from unnest($2::uuid[]) as c (id)`,
  row: { id: column.id, people: column.integer, oldestAt: nullable(column.time) },
});

/** Counts waiting people by connection, up to 100,000 of each. */
export async function countWaitingChanges(
  { query, accountId }: AccountQueries,
  connectionIds: readonly string[],
): Promise<Map<string, WaitingChanges>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await query(countWaiting, [accountId, connectionIds]);
  return new Map(rows.map(({ id, ...waiting }) => [id, waiting]));
}
