// Searches an endpoint's deliveries, newest first, in time windows that go back further and further. A statement costs planning
// time for every partition within its bounds, so older days are searched only when the newest ones do not suffice.
import { column, idAt, idTime, nullable, statement, type AccountReader } from '@service/database';
import type { DeliveryStatus } from '../schemas.ts';

export interface HistoryFilters {
  endpointId: string;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
}

/** Includes `since`, excludes `before`. */
export interface IdRange {
  before: string;
  since: string;
}

interface Found {
  ids: string[];
  /** The oldest delivery searched, when the search ended at its limit and there may be more. */
  stoppedAt?: string;
}

/** The most deliveries that are searched for one page. */
const searchedMax = 5000;

const dayMs = 86_400_000;
/** UTC days that a window goes back before the day it starts in. The last window takes the rest. */
const windowDays = [1, 14];

/** The ids of the newest `wanted` deliveries that match, or fewer. */
export async function searchHistory(
  reader: AccountReader,
  filters: HistoryFilters,
  { range, wanted }: { range: IdRange; wanted: number },
): Promise<Found> {
  const ids: string[] = [];
  let searchedCount = 0;
  for (const { before, since, isLast } of windowsOf(range, reader.now)) {
    const { searched, counted } = findStatements(filters, isLast ? 'plannedOnce' : 'plannedEachTime');
    const walk = [reader.accountId, filters.endpointId, before, since, searchedMax - searchedCount];
    const values = [
      ...walk,
      wanted - ids.length,
      ...(filters.eventType === undefined ? [] : [filters.eventType]),
    ];
    for (const { id } of await reader.query(searched, values)) ids.push(id);
    if (ids.length === wanted) return { ids };
    if (!maySkip(filters)) continue;
    const [walked] = await reader.query(counted, walk);
    searchedCount += walked!.searchedCount;
    if (searchedCount === searchedMax) return { ids, stoppedAt: walked!.lastId! };
  }
  return { ids };
}

/** True if the walk may meet deliveries that do not match. Otherwise a page is full long before the limit. */
const maySkip = ({ status, eventType }: HistoryFilters): boolean =>
  status === 'success' || eventType !== undefined;

interface Window extends IdRange {
  isLast: boolean;
}

/**
 * Windows begin and end with days, like the partitions. The first window also includes ids with a time in the future. The
 * default partition is part of every window with a day that has no partition.
 */
function windowsOf({ before, since }: IdRange, now: Date): Window[] {
  const newestMs = Math.min(idTime(before).getTime(), now.getTime());
  const windows: Window[] = [];
  let start = before;
  for (const days of windowDays) {
    const border = idAt(new Date((Math.floor(newestMs / dayMs) - days) * dayMs));
    if (border <= since) break;
    windows.push({ before: start, since: border, isLast: false });
    start = border;
  }
  return [...windows, { before: start, since, isLast: windows.length === windowDays.length }];
}

/** The part of the filters that is part of the statement: null for all. */
type SearchedStatus = 'failure' | 'cancelled' | 'success' | null;

interface Search {
  status: SearchedStatus;
  isOfType: boolean;
}

/**
 * The last window may include every partition, and planning them takes milliseconds. A connection plans a named statement once.
 * Postgres keeps such a plan only if a plan for the values would not be better
 * (https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES), so the bounds are hidden from the planner.
 */
const plannings = {
  plannedOnce: { before: '(select $3::uuid)', since: '(select $4::uuid)' },
  plannedEachTime: { before: '$3', since: '$4' },
};

type Planning = keyof typeof plannings;

// $1 account, $2 endpoint, $3 before this id, $4 since this id, $5 how many are searched.
// With a constant limit the planner walks the index; for a parameter it expects a tenth of all rows. Each level has the order,
// because otherwise all rows within the limit are read and sorted before the first one is returned.
const walk = (planning: Planning, endedAs: SearchedStatus): string => {
  const { before, since } = plannings[planning];
  return `
    select * from (
      select id, account_id, event_type, ended_as from deliveries.delivery
      where account_id = $1 and endpoint_id = $2 and id < ${before} and id >= ${since} ${endedAs ? `and ended_as = '${endedAs}'` : ''}
      order by id desc limit ${searchedMax}
    ) newest order by id desc limit $5`;
};

const endedAsOf = (status: SearchedStatus): SearchedStatus => (status === 'success' ? null : status);

/** $6 how many are wanted, $7 event type. */
const searchStatement = (planning: Planning, { status, isOfType }: Search) =>
  statement({
    name:
      planning === 'plannedOnce'
        ? `search_deliveries_${status ?? 'all'}${isOfType ? '_of_type' : ''}`
        : undefined,
    text: `
      select id from (${walk(planning, endedAsOf(status))}) searched
      where true ${isOfType ? 'and event_type = $7' : ''} ${status === 'success' ? `and ${isSuccess(plannings[planning])}` : ''}
      order by id desc limit $6`,
    row: { id: column.id },
  });

const countStatement = (planning: Planning, status: SearchedStatus) =>
  statement({
    name: planning === 'plannedOnce' ? `count_deliveries_${status ?? 'all'}` : undefined,
    text: `
      with searched as materialized (${walk(planning, status)})
      select (select count(*)::integer from searched) as "searchedCount",
        (select id from searched order by id limit 1) as "lastId"`,
    row: { searchedCount: column.integer, lastId: nullable(column.id) },
  });

// Not waiting, not failed or cancelled, and the last attempt has no failure. One look-up for each delivery, so that the walk ends
// when the page is full. The bounds keep the partitions of other days out of the plan.
const isSuccess = ({ before, since }: IdRange): string => `
  ended_as is null
  and (select due.delivery_id from deliveries.due
       where due.delivery_id = searched.id and due.account_id = searched.account_id) is null
  and (select failure is null from deliveries.attempt
       where attempt.delivery_id = searched.id and attempt.account_id = searched.account_id
         and attempt.delivery_id < ${before} and attempt.delivery_id >= ${since}
       order by number desc limit 1)`;

const keyOf = (planning: Planning, { status, isOfType }: Search): string =>
  `${planning} ${status} ${isOfType}`;

const searches = new Map<string, ReturnType<typeof searchStatement>>();
const counts = new Map<string, ReturnType<typeof countStatement>>();
for (const planning of ['plannedOnce', 'plannedEachTime'] as const) {
  for (const status of ['failure', 'cancelled', 'success', null] as const) {
    for (const isOfType of [false, true]) {
      const search = { status, isOfType };
      searches.set(keyOf(planning, search), searchStatement(planning, search));
    }
    if (status !== 'success') counts.set(`${planning} ${status}`, countStatement(planning, status));
  }
}

function findStatements({ status, eventType }: HistoryFilters, planning: Planning) {
  const searchedStatus =
    status === 'failure' || status === 'cancelled' || status === 'success' ? status : null;
  const search = { status: searchedStatus, isOfType: eventType !== undefined };
  return {
    searched: searches.get(keyOf(planning, search))!,
    counted: counts.get(`${planning} ${endedAsOf(searchedStatus)}`)!,
  };
}
