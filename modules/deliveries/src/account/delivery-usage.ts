// Counts what an account uses: its waiting deliveries and the bytes that it stores. The count of an account is the sum of its rows.
// A transaction adds to a row that no other has locked, and adds a row when all are locked. So it never waits for another one, and an
// account has as many rows as it had transactions at once.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { queryOn, statement, type Database } from '@service/database';

export const Usage = defineEntity({
  name: 'DeliveryUsage',
  tableName: 'usage',
  schema: 'deliveries',
  properties: {
    accountId: p.uuid().primary(),
    /** A random number. Slot 0 is that of the sweep. */
    slot: p.integer().primary().autoincrement(false),
    waiting: p.bigint('number'),
    bytes: p.bigint('number'),
  },
});

/** The bytes of `usage` by the day on which they were added, so that they can be subtracted when the day is dropped. */
export const StoredDay = defineEntity({
  name: 'StoredDay',
  tableName: 'stored_day',
  schema: 'deliveries',
  properties: {
    accountId: p.uuid().primary(),
    day: p.date().primary(),
    bytes: p.bigint('number'),
  },
});

// Bytes of a row with its headers and its index entries, without its texts, measured with 10,000 and 100,000 rows.
export const deliveryBytes = 400;
export const bodyBytes = 105;
/** The further index entries of a delivery that has ended without success. */
export const endedBytes = 250;
const attemptBytes = 280;

/** The bytes of an attempt in a row with its texts. */
export const bytesOfAttempt = `
  (${attemptBytes} + octet_length(url) + coalesce(octet_length(response_snippet), 0) + coalesce(octet_length(response_headers), 0))`;

/** Common table expressions that add the rows of another one, `change` (account_id, waiting, bytes), a row for each account. */
export const addUsage = (change: string): string => `
  usage_row as materialized (
    select change.*, free.slot from ${change} change
    left join lateral (
      select slot from deliveries.usage where usage.account_id = change.account_id order by slot limit 1 for update skip locked
    ) free on true
  ), usage_added as (
    update deliveries.usage set waiting = usage.waiting + usage_row.waiting, bytes = usage.bytes + usage_row.bytes
    from usage_row where usage.account_id = usage_row.account_id and usage.slot = usage_row.slot
  ), usage_begun as (
    insert into deliveries.usage as total (account_id, slot, waiting, bytes)
    select account_id, 1 + floor(random() * 2147483646)::integer, waiting, bytes from usage_row where slot is null
    on conflict (account_id, slot) do update
    set waiting = total.waiting + excluded.waiting, bytes = total.bytes + excluded.bytes
  )`;

/** Common table expressions that subtract deliveries that have left the queue: a row (account_id) for each in `removed`. */
export const subtractWaiting = (removed: string): string => `
  usage_change as (
    select account_id, -count(*) as waiting, 0::bigint as bytes from ${removed} group by account_id
  ), ${addUsage('usage_change')}`;

// Corrects the usage of all accounts once an hour: bytes of days that were dropped, and what a worker of an earlier version did not count.

const allAccounts = 'The usage of every account is corrected.';

/** $1 now. Bytes that were added since the last sweep count as those of this day. */
const attributeBytes = statement({
  text: `
    insert into deliveries.stored_day as stored (account_id, day, bytes)
    select account_id, ($1::timestamptz at time zone 'UTC')::date, sum(bytes) from (
      select account_id, bytes from deliveries.usage union all select account_id, -bytes from deliveries.stored_day
    ) bytes
    group by account_id having sum(bytes) <> 0
    on conflict (account_id, day) do update set bytes = stored.bytes + excluded.bytes`,
  allAccounts,
});

/** $1 now. A day was dropped when it is past and its partition does not exist. */
const subtractDropped = statement({
  text: `
    with dropped as (
      delete from deliveries.stored_day
      where day < ($1::timestamptz at time zone 'UTC')::date and to_regclass('deliveries.delivery_' || to_char(day, 'YYYYMMDD')) is null
      returning account_id, bytes
    ), freed as (
      select account_id, 0::bigint as waiting, -sum(bytes) as bytes from dropped group by account_id
    ), ${addUsage('freed')}
    select from freed`,
  allAccounts,
});

// The queue and its count change in one transaction, so their difference in one snapshot is exact while other transactions write. Two
// sweeps at the same time would add it twice; the next sweep corrects that.
const correctWaiting = statement({
  text: `
    with difference as (
      select account_id, sum(waiting)::bigint as waiting, 0::bigint as bytes from (
        select account_id, count(*) as waiting from deliveries.due group by account_id
        union all
        select account_id, -sum(waiting) from deliveries.usage group by account_id
      ) waiting
      group by account_id having sum(waiting) <> 0
    ), ${addUsage('difference')}
    select from difference`,
  allAccounts,
});

/** Makes the usage of each account equal to its queue, and subtracts the bytes of days that were dropped. */
export async function sweepUsage(pool: Database['pool'], now: Date): Promise<void> {
  const query = queryOn(pool);
  await query(attributeBytes, [now]);
  await query(subtractDropped, [now]);
  await query(correctWaiting, []);
}
