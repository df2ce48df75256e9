// Changes that wait for their connection after all attempts, and those that have waited too long.
import type { MarketingConnections } from '@service/connections';
import { column, createId, hasRow, statement, type Database } from '@service/database';

export const hasParkedChange = hasRow({
  table: 'contacts.change',
  order: 'account_id, connection_id, parked_at',
  where: 'parked_at is not null',
});

const selectParked = statement({
  name: 'contacts.select_parked_lanes',
  text: `
    with recursive parked as (
      (select account_id, connection_id from contacts.change where parked_at is not null order by account_id, connection_id limit 1)
      union all
      select next.account_id, next.connection_id from parked h cross join lateral (
        select n.account_id, n.connection_id from contacts.change n
        where n.parked_at is not null and (n.account_id, n.connection_id) > (h.account_id, h.connection_id)
        order by n.account_id, n.connection_id limit 1
      ) next
    )
    select account_id as "accountId", connection_id as id from parked`,
  allAccounts: 'A worker looks after the changes of every account.',
  row: { accountId: column.id, id: column.id },
});

// $3 parked before, $4 now, $5 at most, and one while anything else of the lane is due: a lane that always has something due must try them as
// well. A change that fails again is parked again, because its attempts are used up.
const releaseParked = statement({
  name: 'contacts.release_parked_changes',
  text: `
    with released as materialized (
      select r.contact from contacts.change r
      where r.account_id = $1 and r.connection_id = $2 and r.parked_at is not null and r.parked_at < $3::timestamptz
      order by r.parked_at limit (select case when exists (select from contacts.change due
          where due.account_id = $1 and due.connection_id = $2 and not due.is_taken
            and due.parked_at is null and due.is_backfill = any(array[true, false]) and due.due_at <= $4::timestamptz)
        then 1 else $5::int end)
      for update skip locked
    )
    update contacts.change c set parked_at = null, due_at = $4::timestamptz from released
    where c.account_id = $1 and c.connection_id = $2 and not c.is_taken and c.contact = released.contact`,
});

/** Changes of a lane that are tried at once. */
const releasedMax = 100;
/** Changes of a lane that does not work. A lane in which other changes are due tries one as well, every few seconds. */
const probesMax = 1;
const againAfterMs = 3_600_000;

/**
 * Has parked changes tried again, each once an hour at most: so many of a lane that their failure costs little, and one at a time while
 * anything else of it is due. A state of the connection says little about one change: one endpoint of a tool can fail for days while the others work.
 */
export async function releaseParkedChanges(
  { query }: Pick<Database, 'query'>,
  marketing: Pick<MarketingConnections, 'find'>,
  now: Date,
): Promise<void> {
  const lanes = await query(selectParked, []);
  const connections = await marketing.find(query, lanes);
  for (const { accountId, id } of lanes) {
    const connection = connections.get(id);
    if (!connection || connection.isPaused || connection.state === 'disconnected') continue;
    const before = new Date(now.getTime() - againAfterMs);
    const countMax = connection.state === 'connected' ? releasedMax : probesMax;
    await query(releaseParked, [accountId, id, before, now, countMax]);
  }
}

// $1 before, $2 at most, $3 ids of lines. Each leaves a line in the history.
const expire = statement({
  name: 'contacts.expire_changes',
  text: `
    with expired as materialized (
      select e.account_id, e.connection_id, e.contact from contacts.change e
      where e.last_at < $1::timestamptz and not e.is_taken order by e.last_at limit $2 for update skip locked
    ), gone as (
      delete from contacts.change c using expired
      where c.account_id = expired.account_id and c.connection_id = expired.connection_id and c.contact = expired.contact
        and not c.is_taken
      returning c.*
    ), numbered as (
      select *, row_number() over () as number from gone
    )
    insert into contacts.send (account_id, id, connection_id, contact, registration_id, causes, calls, outcome, reason, duration_ms, fields)
    select account_id, ($3::uuid[])[number], connection_id,
      -- The same as erasedAddress of packages/secrets.
      case when is_erasure then 'erased:' || encode(sha256(convert_to(account_id || ' ' || contact, 'UTF8')), 'hex') else contact end,
      registration_id, causes, '[]', 'expired', 'It has waited for 30 days.', 0, '[]'
    from numbered
    returning id`,
  allAccounts: 'The changes of every account expire.',
  row: { id: column.id },
});

const keptMs = 30 * 86_400_000;
const expiredMax = 1000;

/** Ends the changes whose last fact is 30 days old. */
export async function expireChanges({ query }: Pick<Database, 'query'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs);
  let expired: unknown[];
  do {
    const ids = Array.from({ length: expiredMax }, () => createId());
    expired = await query(expire, [before, expiredMax, ids]);
  } while (expired.length === expiredMax);
}
