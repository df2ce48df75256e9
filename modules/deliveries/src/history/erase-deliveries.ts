import { column, statement } from '@service/database';
import { tryLater, type ErasePerson } from '@service/module';
import { subtractWaiting } from '../account/delivery-usage.ts';
import { isFree } from '../due.ts';
import { noEndpoint } from '../endpoint/cancel-waiting.ts';

const deliveriesMax = 500;

// A delivery that a worker has claimed stays until its attempt has ended: then nothing sends it again, and the repetition deletes it. Rows
// whose result is being written now are skipped, because waiting for them could be a deadlock.
// $3: at most, $4: the id of no endpoint, $5: deliveries that an earlier part has left.
const deleteDeliveries = statement({
  name: 'deliveries.delete_deliveries_of_person',
  text: `
    with own as materialized (
      select f.id, f.body_id from deliveries.delivery f where f.account_id = $1 and f.registration_id = any($2::uuid[]) and f.id <> all($5::uuid[]) limit $3
    ), queued as materialized (
      select own.id, own.body_id, locked.is_free is true or waits.id is null as is_free, locked.is_free is false as is_claimed
      from own left join lateral (
        select c.delivery_id as id from deliveries.due c where c.account_id = $1 and c.delivery_id = own.id limit 1
      ) waits on true left join lateral (
        select ${isFree} as is_free from deliveries.due l where l.account_id = $1 and l.delivery_id = own.id limit 1 for update skip locked
      ) locked on true
    ), detached as (
      update deliveries.due o set endpoint_id = $4 from queued
      where queued.is_claimed and o.account_id = $1 and o.delivery_id = queued.id
    ), found as materialized (
      select id, body_id from queued where is_free
    ), waiting as (
      delete from deliveries.due w using found where w.account_id = $1 and w.delivery_id = found.id returning w.account_id
    ), ${subtractWaiting('waiting')}, attempts as (
      delete from deliveries.attempt a using found where a.account_id = $1 and a.delivery_id = found.id
    ), bodies as (
      delete from deliveries.body b using found where b.account_id = $1 and b.id = coalesce(found.body_id, found.id)
    ), gone as (
      delete from deliveries.delivery d using found where d.account_id = $1 and d.id = found.id returning d.id
    )
    select count(*)::int as count, coalesce(array_agg(id::text) filter (where not is_free), '{}') as "inFlight" from queued`,
  row: { count: column.integer, inFlight: column.texts },
});

/**
 * Deletes deliveries about the person, with their bodies and the answers of receivers. Waiting ones are not sent. The repetition ends when
 * none is in flight.
 */
export const eraseDeliveries: ErasePerson = async (
  { query, accountId },
  { registrationIds, isRepetition },
  cursor,
) => {
  // The release of the morning of 26 November 2026 wrote "more".
  const passed = (cursor ?? '').split(' ').filter((id) => id !== '' && id !== 'more');
  const [part] = await query(deleteDeliveries, [
    accountId,
    registrationIds,
    deliveriesMax,
    noEndpoint,
    passed,
  ]);
  const inFlight = [...passed, ...part!.inFlight];
  if (part!.count === deliveriesMax) return inFlight.join(' ');
  return isRepetition && inFlight.length > 0 ? tryLater : null;
};
