import { column, nullable, statement, type AccountQueries, type Database } from '@service/database';

/** The changes of a connection that were not sent yet. */
export interface WaitingChanges {
  people: number;
  /** The first fact of the change that waits longest. Null: nothing waits. */
  oldestAt: Date | null;
}

/** A count ends here. */
const peopleMax = 100_000;

// A person whose change is being sent may have a second row, for what has arrived meanwhile.
const countWaiting = statement({
  name: 'contacts.count_waiting',
  text: `
    select c.id, (select count(*)::int from (
        select distinct w.contact from contacts.change w where w.account_id = $1 and w.connection_id = c.id limit ${peopleMax}) waiting) as people,
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

/** The waiting changes of all accounts. */
export interface ContactBacklog {
  /** Counted up to 100,000. */
  waiting: number;
  /** Time since the oldest change became due, of lanes that take changes now. 0 when there is none. */
  oldestDueAgeSeconds: number;
}

// One probe of an index for each connection that has changes. Lanes of suspended accounts, and those that rest because of a limit of their
// tool or because their connection takes nothing, wait for a person or a time, and not for workers. A lane that has just ended its rest is
// looked at within seconds.
const measureQueue = statement({
  name: 'contacts.measure_queue',
  text: `
    with recursive connection as (
      (select account_id, connection_id from contacts.change order by account_id, connection_id limit 1)
      union all
      select next.account_id, next.connection_id from connection c cross join lateral (
        select n.account_id, n.connection_id from contacts.change n
        where (n.account_id, n.connection_id) > (c.account_id, c.connection_id)
        order by n.account_id, n.connection_id limit 1
      ) next
    ), oldest as (
      select first.due_at from connection c left join contacts.lane l using (account_id, connection_id) cross join lateral (
        select d.due_at from contacts.change d
        where d.account_id = c.account_id and d.connection_id = c.connection_id and not d.is_taken and d.parked_at is null
          and not d.is_backfill and d.due_at <= now()
        order by d.due_at limit 1
      ) first
      where not coalesce(l.suspended, false) and coalesce(l.rest_until, '-infinity') <= now() - interval '5 seconds'
    )
    select (select count(*)::int from (select from contacts.change limit ${peopleMax}) waiting) as waiting,
      coalesce((select extract(epoch from now() - min(due_at))::float8 from oldest), 0) as "oldestDueAgeSeconds"`,
  row: { waiting: column.integer, oldestDueAgeSeconds: column.float },
  allAccounts: 'The metrics of a worker are about the whole queue.',
});

/** Measures the queue of all workers, cheaply enough for every scrape. */
export async function measureContacts({ query }: Pick<Database, 'query'>): Promise<ContactBacklog> {
  const [backlog] = await query(measureQueue, []);
  return backlog!;
}
