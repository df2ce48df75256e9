// Corrects the usage of all accounts once an hour: bytes of days that were dropped, and what a worker of an earlier version did not count.
import { queryOn, statement, type Database } from '@service/database';
import { addUsage } from './delivery-usage.ts';

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
