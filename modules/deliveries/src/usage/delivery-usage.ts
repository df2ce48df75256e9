// Counts what an account uses: its waiting deliveries and the bytes that it stores. The count of an account is the sum of its rows.
// A transaction adds to a row that no other has locked, and adds a row when all are locked. So it never waits for another one, and an
// account has as many rows as it had transactions at once.
import { defineEntity, p } from '@mikro-orm/postgresql';

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
