// Searches an endpoint's deliveries, newest first, in time windows that go back further and further. A statement costs planning
// time for every partition within its bounds, so older days are searched only when the newest ones do not suffice.
import { idAt, idTime, type AccountReader, type Statement } from '@service/database';
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
    const { searched, counted } = isLast ? plannedOnce(filters) : statementsOf(filters);
    const walk = [reader.accountId, filters.endpointId, before, since, searchedMax - searchedCount];
    const values = [
      ...walk,
      wanted - ids.length,
      ...(filters.eventType === undefined ? [] : [filters.eventType]),
    ];
    for (const { id } of await reader.query<{ id: string }>(searched, values)) ids.push(id);
    if (ids.length === wanted) return { ids };
    if (!maySkip(filters)) continue;
    const [walked] = await reader.query<{ searchedCount: number; lastId: string }>(counted, walk);
    searchedCount += walked!.searchedCount;
    if (searchedCount === searchedMax) return { ids, stoppedAt: walked!.lastId };
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

interface Statements {
  searched: Statement;
  counted: Statement;
}

/**
 * The last window may include every partition, and planning them takes milliseconds. A connection plans a named statement once.
 * Postgres keeps such a plan only if a plan for the values would not be better
 * (https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES), so the bounds are hidden from the planner.
 */
function plannedOnce(filters: HistoryFilters): Statements {
  const { searched, counted } = statementsOf(filters, {
    before: '(select $3::uuid)',
    since: '(select $4::uuid)',
  });
  const ofType = filters.eventType === undefined ? '' : '_of_type';
  return {
    searched: { ...searched, name: `search_deliveries_${filters.status ?? 'all'}${ofType}` },
    counted: { ...counted, name: `count_deliveries_${endedAs(filters) ?? 'all'}` },
  };
}

const endedAs = ({ status }: HistoryFilters): DeliveryStatus | undefined =>
  status === 'failure' || status === 'cancelled' ? status : undefined;

// $1 account, $2 endpoint, $3 before this id, $4 since this id, $5 how many are searched, $6 how many are wanted,
// $7 event type.
function statementsOf(
  filters: HistoryFilters,
  { before, since }: IdRange = { before: '$3', since: '$4' },
): Statements {
  const { status, eventType } = filters;
  const ended = endedAs(filters);
  // With a constant limit the planner walks the index; for a parameter it expects a tenth of all rows. Each level has the
  // order, because otherwise all rows within the limit are read and sorted before the first one is returned.
  const searchedCount = `
    select * from (
      select id, account_id, event_type, ended_as from deliveries.delivery
      where account_id = $1 and endpoint_id = $2 and id < ${before} and id >= ${since} ${ended ? `and ended_as = '${ended}'` : ''}
      order by id desc limit ${searchedMax}
    ) newest order by id desc limit $5`;
  return {
    searched: {
      text: `
        select id from (${searchedCount}) searched
        where true ${eventType === undefined ? '' : 'and event_type = $7'} ${status === 'success' ? `and ${isSuccess(before, since)}` : ''}
        order by id desc limit $6`,
    },
    counted: {
      text: `
        with searched as materialized (${searchedCount})
        select (select count(*)::integer from searched) as "searchedCount",
          (select id from searched order by id limit 1) as "lastId"`,
    },
  };
}

// Not waiting, not failed or cancelled, and the last attempt has no failure. One look-up for each delivery, so that the walk ends
// when the page is full. The bounds keep the partitions of other days out of the plan.
const isSuccess = (before: string, since: string): string => `
  ended_as is null
  and (select due.delivery_id from deliveries.due
       where due.delivery_id = searched.id and due.account_id = searched.account_id) is null
  and (select failure is null from deliveries.attempt
       where attempt.delivery_id = searched.id and attempt.account_id = searched.account_id
         and attempt.delivery_id < ${before} and attempt.delivery_id >= ${since}
       order by number desc limit 1)`;
