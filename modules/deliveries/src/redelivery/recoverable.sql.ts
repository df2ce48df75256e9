// Which of an endpoint's deliveries a recovery sends again, oldest first. Counting and taking are the same search, so that
// a preview says what will be done.
//
// $1 account, $2 endpoint, $3 after this id, $4 before this id, $5 statuses, $6 event types or null for all,
// $7 how many deliveries are looked at.
import type { RecoverableStatus } from './recovery.ts';

// What ended badly comes off an index of its own; only who wants successes walks past everything.
const walk = (statuses: readonly RecoverableStatus[]): string =>
  statuses.includes('success')
    ? walkOf()
    : `select * from (${statuses.map((status) => `(${walkOf(`and ended_as = '${status}'`)})`).join(' union all ')}) walked
       order by id limit $7`;

const walkOf = (endedAs = ''): string => `
  select id, event_type, ended_as, is_test, coalesce(redelivery_of, id) as first_id from deliveries.delivery
  where account_id = $1 and endpoint_id = $2 and id > $3 and id < $4 ${endedAs}
  order by id limit $7`;

const waits = (row: string): string => `
  exists (select from deliveries.due where due.delivery_id = ${row}.id and due.account_id = $1)`;

const arrived = (row: string): string => `
  (${row}.ended_as is null and not ${waits(row)}
   and coalesce((select failure is null from deliveries.attempt
     where attempt.delivery_id = ${row}.id and attempt.account_id = $1
     order by number desc limit 1), false))`;

const isWanted = (row: string, statuses: readonly RecoverableStatus[]): string =>
  statuses.includes('success')
    ? `(${row}.ended_as = any($5::text[]) or ${arrived(row)})`
    : `${row}.ended_as = any($5::text[])`;

// A message that was sent several times is sent once: the newest that is wanted stands for all. What has arrived since, or
// is on its way, is left out.
const search = (statuses: readonly RecoverableStatus[]): string => `
  with looked_at as materialized (${walk(statuses)}),
  wanted as materialized (
    select id, first_id, ended_as from looked_at
    where not is_test and ($6::text[] is null or event_type = any($6::text[])) and ${isWanted('looked_at', statuses)}
  ),
  recoverable as (
    select id from wanted
    where not exists (
      select from deliveries.delivery later
      where later.account_id = $1 and later.redelivery_of = wanted.first_id and later.id > wanted.id and later.id > $3
        and (${waits('later')}
          or (wanted.ended_as is not null and ${arrived('later')})
          or (later.id < $4 and ${isWanted('later', statuses)}))
    )
  )`;

/** How many are recoverable, and how many were looked at. */
export const countRecoverable = (statuses: readonly RecoverableStatus[]) => ({
  text: `${search(statuses)}
  select (select count(*)::integer from recoverable) as total, (select count(*)::integer from looked_at) as looked_at`,
});

/** The ids of the first $8 that are recoverable, how many were looked at, and the last of those. */
export const findRecoverable = (statuses: readonly RecoverableStatus[]) => ({
  text: `${search(statuses)}
  select array(select id from recoverable order by id limit $8) as ids,
    (select count(*)::integer from looked_at) as looked_at,
    (select id from looked_at order by id desc limit 1) as last_id`,
});

/** Of the deliveries $2 of account $1; $3 and $4, the lowest and the highest of them, leave other days' partitions out. */
export const selectContents = {
  text: `
    select event_type, body, coalesce(redelivery_of, id) as first_id from deliveries.delivery
    where account_id = $1 and id = any($2::uuid[]) and id between $3 and $4
    order by id`,
};
