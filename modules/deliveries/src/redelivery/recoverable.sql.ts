// The search for deliveries that a recovery redelivers, oldest first. Preview and batches use the same search, so that they agree.
//
// $1 account, $2 endpoint, $3 after this id, $4 before this id, $5 statuses, $6 event types or null for all,
// $7 how many deliveries are searched.
import { column, nullable, statement } from '@service/database';
import { recoverableStatuses, type RecoverableStatus } from './recovery.ts';

// Failed and cancelled deliveries have an index of their own. Only a search for successes walks over all deliveries.
const walk = (statuses: readonly RecoverableStatus[]): string =>
  statuses.includes('success')
    ? walkOf()
    : `select * from (${statuses.map((status) => `(${walkOf(`and ended_as = '${status}'`)})`).join(' union all ')}) walked
       order by id limit $7`;

const walkOf = (endedAs = ''): string => `
  select id, event_type, ended_as, is_test, replaced_by is not null as is_replaced, coalesce(redelivery_of, id) as first_id
  from deliveries.delivery
  where account_id = $1 and endpoint_id = $2 and id > $3 and id < $4 ${endedAs}
  order by id limit $7`;

const waits = (row: string): string => `
  exists (select from deliveries.due where due.delivery_id = ${row}.id and due.account_id = $1)`;

const succeeded = (row: string): string => `
  (${row}.ended_as is null and not ${waits(row)}
   and coalesce((select failure is null from deliveries.attempt
     where attempt.delivery_id = ${row}.id and attempt.account_id = $1
     order by number desc limit 1), false))`;

const isWanted = (row: string, statuses: readonly RecoverableStatus[]): string =>
  statuses.includes('success')
    ? `(${row}.ended_as = any($5::text[]) or ${succeeded(row)})`
    : `${row}.ended_as = any($5::text[])`;

// A message with several deliveries is redelivered once, for its newest wanted delivery. A message that has succeeded since, or
// that waits to be sent, is left out.
const search = (statuses: readonly RecoverableStatus[]): string => `
  with searched as materialized (${walk(statuses)}),
  wanted as materialized (
    select id, first_id, ended_as from searched
    where not is_test and not is_replaced and ($6::text[] is null or event_type = any($6::text[])) and ${isWanted('searched', statuses)}
  ),
  recoverable as (
    select id from wanted
    where not exists (
      select from deliveries.delivery later
      where later.account_id = $1 and later.redelivery_of = wanted.first_id and later.id > wanted.id and later.id > $3
        and (${waits('later')}
          or (wanted.ended_as is not null and ${succeeded('later')})
          or (later.id < $4 and later.replaced_by is null and ${isWanted('later', statuses)}))
    )
  )`;

const statementsOf = (statuses: readonly RecoverableStatus[]) => ({
  count: statement({
    text: `${search(statuses)}
  select (select count(*)::integer from recoverable) as total, (select count(*)::integer from searched) as searched`,
    row: { total: column.integer, searched: column.integer },
  }),
  find: statement({
    text: `${search(statuses)}
  select array(select id from recoverable order by id limit $8) as ids,
    (select count(*)::integer from searched) as searched,
    (select id from searched order by id desc limit 1) as last_id`,
    row: { ids: column.ids, searched: column.integer, last_id: nullable(column.id) },
  }),
});

const keyOf = (statuses: readonly RecoverableStatus[]): string =>
  recoverableStatuses.filter((status) => statuses.includes(status)).join(' ');

const sets = recoverableStatuses.reduce<RecoverableStatus[][]>(
  (smaller, status) => [...smaller, ...smaller.map((set) => [...set, status])],
  [[]],
);

/** The statements for each set of statuses. */
const statementsByKey = new Map(
  sets.filter((set) => set.length > 0).map((set) => [keyOf(set), statementsOf(set)]),
);

/** Counts the recoverable deliveries and those that were searched. */
export const countRecoverable = (statuses: readonly RecoverableStatus[]) =>
  statementsByKey.get(keyOf(statuses))!.count;

/** The ids of the first $8 recoverable deliveries, how many deliveries were searched, and the last id of these. */
export const findRecoverable = (statuses: readonly RecoverableStatus[]) =>
  statementsByKey.get(keyOf(statuses))!.find;
