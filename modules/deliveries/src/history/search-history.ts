// An endpoint's deliveries, newest first, in windows that go further and further back. A statement pays for every partition
// that its bounds admit, mostly with being planned: what the newest days can answer asks for no others.
import { idAt, idTime, type AccountReader, type Statement } from '@service/database';
import type { DeliveryStatus } from '../schemas.ts';

export interface HistoryFilters {
  endpointId: string;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
}

/** `before` is outside, `since` inside. */
export interface IdRange {
  before: string;
  since: string;
}

interface Found {
  ids: string[];
  /** The oldest that was looked at, where there may be more behind it but enough has been looked at. */
  stoppedAt?: string;
}

/** How many deliveries one page looks at while few of them match. */
const lookedAtMax = 5000;

const dayMs = 86_400_000;
/** UTC days that a window goes back beyond the one it starts in; what is left is the last window. */
const windowDays = [1, 14];

/** The ids of the newest `wanted` that match, or fewer. */
export async function searchHistory(
  reader: AccountReader,
  filters: HistoryFilters,
  { range, wanted }: { range: IdRange; wanted: number },
): Promise<Found> {
  const ids: string[] = [];
  let lookedAt = 0;
  for (const { before, since, isLast } of windowsOf(range, reader.now)) {
    const { searched, counted } = isLast ? plannedOnce(filters) : statementsOf(filters);
    const walk = [reader.accountId, filters.endpointId, before, since, lookedAtMax - lookedAt];
    const values = [
      ...walk,
      wanted - ids.length,
      ...(filters.eventType === undefined ? [] : [filters.eventType]),
    ];
    for (const { id } of await reader.query<{ id: string }>(searched, values)) ids.push(id);
    if (ids.length === wanted) return { ids };
    if (!isPassingOver(filters)) continue;
    const [look] = await reader.query<{ lookedAt: number; lastId: string }>(counted, walk);
    lookedAt += look!.lookedAt;
    if (lookedAt === lookedAtMax) return { ids, stoppedAt: look!.lastId };
  }
  return { ids };
}

/** Whether what is walked over may not match; a page of what is all wanted is full long before the limit of looking. */
const isPassingOver = ({ status, eventType }: HistoryFilters): boolean =>
  status === 'success' || eventType !== undefined;

interface Window extends IdRange {
  isLast: boolean;
}

/**
 * Their borders are days', as those of the partitions. The first one also holds what carries a time yet to come, and the
 * default partition is part of every window with a day that has no other.
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
 * The last window may have every partition, and planning those takes milliseconds: a connection does it once for a named
 * statement. Postgres keeps such a plan only if one made for the values would be no better
 * (https://www.postgresql.org/docs/current/sql-prepare.html#SQL-PREPARE-NOTES), hence the bounds that it cannot see before
 * it runs.
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

// $1 account, $2 endpoint, $3 before this id, $4 since this id, $5 how many are looked at, $6 how many are wanted,
// $7 event type.
function statementsOf(
  filters: HistoryFilters,
  { before, since }: IdRange = { before: '$3', since: '$4' },
): Statements {
  const { status, eventType } = filters;
  const ended = endedAs(filters);
  // The limit that the planner knows lets it walk the index: of a parameter it expects a tenth of all there is. Each level
  // says the order, or else everything within the limit is read and sorted before the first row comes.
  const lookedAt = `
    select * from (
      select id, account_id, event_type, ended_as from deliveries.delivery
      where account_id = $1 and endpoint_id = $2 and id < ${before} and id >= ${since} ${ended ? `and ended_as = '${ended}'` : ''}
      order by id desc limit ${lookedAtMax}
    ) newest order by id desc limit $5`;
  return {
    searched: {
      text: `
        select id from (${lookedAt}) looked_at
        where true ${eventType === undefined ? '' : 'and event_type = $7'} ${status === 'success' ? `and ${isSuccess(before, since)}` : ''}
        order by id desc limit $6`,
    },
    counted: {
      text: `
        with looked_at as materialized (${lookedAt})
        select (select count(*)::integer from looked_at) as "lookedAt",
          (select id from looked_at order by id limit 1) as "lastId"`,
    },
  };
}

// Neither waiting nor badly ended, and the last attempt has no failure. Look-ups one by one, so that a page stops as soon
// as it is full; the bounds leave other days' partitions of attempts out.
const isSuccess = (before: string, since: string): string => `
  ended_as is null
  and (select due.delivery_id from deliveries.due
       where due.delivery_id = looked_at.id and due.account_id = looked_at.account_id) is null
  and (select failure is null from deliveries.attempt
       where attempt.delivery_id = looked_at.id and attempt.account_id = looked_at.account_id
         and attempt.delivery_id < ${before} and attempt.delivery_id >= ${since}
       order by number desc limit 1)`;
