// Searches deliveries, newest first, in time windows that go back further and further. A statement costs planning time for every
// partition within its bounds, so older days are searched only when the newest ones do not suffice.
import { column, idAt, idTime, nullable, statement, type AccountReader } from '@service/database';
import type { DeliveryStatus } from '../schemas.ts';

export interface HistoryFilters {
  /** Deliveries to one endpoint. */
  endpointId?: string | undefined;
  /** Deliveries to any of these endpoints. Without this and `endpointId`: those of the account. */
  endpointIds?: readonly string[] | undefined;
  registrationId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  /** The answer to the last attempt: a code, a class such as `5xx`, or `none` for an attempt without an answer. */
  responseCode?: string | undefined;
}

/** Includes `since`, excludes `before`. */
export interface IdRange {
  before: string;
  since: string;
}

export interface Found {
  ids: string[];
  /** The oldest delivery searched, when the search ended at its limit and there may be more. */
  stoppedAt?: string;
}

const dayMs = 86_400_000;
/** UTC days that a window goes back before the day it starts in. The last window takes the rest. */
const windowDays = [1, 14];

/** The ids of the newest `wanted` deliveries that match, or fewer. */
export async function searchHistory(
  reader: AccountReader,
  filters: HistoryFilters,
  { range, wanted }: { range: IdRange; wanted: number },
): Promise<Found> {
  const { kind, scope, count } = walkOf(filters);
  const ids: string[] = [];
  let searchedCount = 0;
  for (const { before, since, isLast } of windowsOf(range, reader.now)) {
    const { searched, counted } = findStatements({
      kind,
      endedAs: searchedStatusOf(filters),
      readsAttempts: readsAttempts(filters),
      planning: isLast ? 'plannedOnce' : 'plannedEachTime',
    });
    const missing = wanted - ids.length;
    const left = searchedMax - searchedCount;
    const each = maySkip(filters) ? Math.max(1, Math.floor(left / count)) : Math.min(left, missing);
    const walk = [reader.accountId, scope, before, since, each];
    const found = await reader.query(searched, [...walk, missing, ...conditionsOf(filters)]);
    if (!maySkip(filters) || (found.length === missing && count === 1)) {
      for (const { id } of found) ids.push(id);
      if (ids.length === wanted) return { ids };
      continue;
    }
    const [walked] = await reader.query(counted, walk);
    const { fullAt } = walked!;
    // Of endpoints that were searched to different depths, only the common part is complete.
    for (const { id } of found) if (fullAt === null || id >= fullAt) ids.push(id);
    if (ids.length === wanted) return { ids };
    if (fullAt !== null) return { ids, stoppedAt: fullAt };
    searchedCount += walked!.searchedCount;
    if (searchedCount >= searchedMax) return { ids, stoppedAt: since };
  }
  return { ids };
}

function walkOf({ endpointId, endpointIds, registrationId }: HistoryFilters): {
  kind: WalkKind;
  scope: string | readonly string[] | null;
  count: number;
} {
  if (registrationId !== undefined) return { kind: 'registration', scope: registrationId, count: 1 };
  if (endpointId !== undefined) return { kind: 'endpoint', scope: endpointId, count: 1 };
  if (endpointIds === undefined) return { kind: 'account', scope: null, count: 1 };
  return { kind: 'endpoints', scope: endpointIds, count: Math.max(1, endpointIds.length) };
}

/** The values of the conditions of a search, in the order of `searchStatement`. */
const conditionsOf = (filters: HistoryFilters): unknown[] => [
  filters.eventType ?? null,
  filters.registrationId === undefined ? null : endpointsOf(filters),
  ...(readsAttempts(filters) ? [filters.status === 'success', ...codeRange(filters.responseCode)] : []),
];

/** The endpoints of a list; null for all of the account. */
export const endpointsOf = ({ endpointId, endpointIds }: HistoryFilters): readonly string[] | null =>
  endpointId === undefined ? (endpointIds ?? null) : [endpointId];

/** The lowest and the highest code of a filter; nulls without a filter. An attempt without an answer counts as 0. */
export function codeRange(responseCode: string | undefined): [number | null, number | null] {
  if (responseCode === undefined) return [null, null];
  if (responseCode === 'none') return [0, 0];
  if (!responseCode.endsWith('xx')) return [Number(responseCode), Number(responseCode)];
  const lowest = Number(responseCode[0]) * 100;
  return [lowest, lowest + 99];
}

const searchedStatusOf = ({ status }: HistoryFilters): SearchedStatus =>
  status === 'failure' || status === 'cancelled' ? status : null;

const readsAttempts = ({ status, responseCode }: HistoryFilters): boolean =>
  status === 'success' || responseCode !== undefined;

/** True if the walk may meet deliveries that do not match. Otherwise a page is full long before the limit. */
const maySkip = (filters: HistoryFilters): boolean =>
  readsAttempts(filters) ||
  filters.eventType !== undefined ||
  (filters.registrationId !== undefined && endpointsOf(filters) !== null);

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

// The statements of searches through history. A walk reads deliveries newest first, up to a limit; a search keeps those that match.

/** The most deliveries that are searched for one page. */
export const searchedMax = 5000;

/** Walks over the deliveries of an endpoint, of several endpoints side by side, of an account, or of a registration. */
type WalkKind = 'endpoint' | 'endpoints' | 'account' | 'registration';

/** The part of the status filter that has an index: null for all. */
type SearchedStatus = 'failure' | 'cancelled' | null;

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

interface Search {
  kind: WalkKind;
  endedAs: SearchedStatus;
  readsAttempts: boolean;
  planning: Planning;
}

type Walk = Omit<Search, 'readsAttempts'>;

/** $2 is an endpoint, endpoints, null or a registration. */
const scopes: Record<WalkKind, string> = {
  endpoint: 'endpoint_id = $2::uuid',
  endpoints: 'endpoint_id = wanted.wanted_id',
  account: '$2::uuid is null',
  registration: 'registration_id = $2::uuid',
};

// $1 account, $2 scope, $3 before this id, $4 since this id, $5 how many are searched, of each endpoint.
// With a constant limit the planner walks the index; for a parameter it expects a tenth of all rows. Each level has the order,
// because otherwise all rows within the limit are read and sorted before the first one is returned.
const oneWalk = ({ kind, endedAs, planning }: Walk): string => {
  const { before, since } = plannings[planning];
  return `
    select * from (
      select id, account_id, endpoint_id, event_type, ended_as from deliveries.delivery
      where account_id = $1 and ${scopes[kind]} and id < ${before} and id >= ${since} ${endedAs ? `and ended_as = '${endedAs}'` : ''}
      order by id desc limit ${searchedMax}
    ) newest order by id desc limit $5`;
};

const walkText = (walk: Walk): string =>
  walk.kind === 'endpoints'
    ? `select newest.* from unnest($2::uuid[]) as wanted (wanted_id) cross join lateral (${oneWalk(walk)}) newest`
    : oneWalk(walk);

const nameOf = (words: string, { kind, endedAs, planning }: Walk): string | undefined =>
  planning === 'plannedOnce' ? `${words}_of_${kind}_${endedAs ?? 'all'}` : undefined;

// A success does not wait, has not failed and was not cancelled, and its last attempt has no failure. One look-up for each
// delivery, so that the walk ends when the page is full. The bounds keep the partitions of other days out of the plan.
// $9 true for successes only, $10 and $11 the lowest and the highest code or null.
const matchesAttempt = ({ before, since }: { before: string; since: string }): string => `
  and (not $9::boolean or (ended_as is null
    and (select due.delivery_id from deliveries.due
         where due.delivery_id = searched.id and due.account_id = searched.account_id) is null))
  and (select (not $9::boolean or failure is null)
         and ($10::integer is null or coalesce(response_code, 0) between $10 and $11)
       from deliveries.attempt
       where attempt.delivery_id = searched.id and attempt.account_id = searched.account_id
         and attempt.delivery_id < ${before} and attempt.delivery_id >= ${since}
       order by number desc limit 1)`;

/** $6 how many are wanted, $7 event type or null, $8 endpoints or null. */
const searchStatement = ({ readsAttempts, ...walk }: Search) =>
  statement({
    name: nameOf(`search_deliveries${readsAttempts ? '_by_attempt' : ''}`, walk),
    text: `
      select id from (${walkText(walk)}) searched
      where ($7::text is null or event_type = $7) and ($8::uuid[] is null or endpoint_id = any($8))
        ${readsAttempts ? matchesAttempt(plannings[walk.planning]) : ''}
      order by id desc limit $6`,
    row: { id: column.id },
  });

/** The number of deliveries that a walk reads. `fullAt` is null unless it ends at its limit; it is complete down to this id. */
const countStatement = (walk: Walk) =>
  statement({
    name: nameOf('count_deliveries', walk),
    text: `
      with searched as materialized (${walkText(walk)}),
      walked as (
        select count(*)::integer as count, (array_agg(id order by id))[1] as last_id from searched
        group by ${walk.kind === 'endpoints' ? 'endpoint_id' : 'account_id'}
      )
      select (select count(*)::integer from searched) as "searchedCount",
        (select last_id from walked where count = $5 order by last_id desc limit 1) as "fullAt"`,
    row: { searchedCount: column.integer, fullAt: nullable(column.id) },
  });

const keyOf = ({ kind, endedAs, planning }: Walk): string => `${planning} ${kind} ${endedAs}`;

const searches = new Map<string, ReturnType<typeof searchStatement>>();
const counts = new Map<string, ReturnType<typeof countStatement>>();
for (const planning of ['plannedOnce', 'plannedEachTime'] as const) {
  for (const kind of ['endpoint', 'endpoints', 'account', 'registration'] as const) {
    for (const endedAs of ['failure', 'cancelled', null] as const) {
      const walk = { planning, kind, endedAs };
      for (const readsAttempts of [false, true])
        searches.set(`${keyOf(walk)} ${readsAttempts}`, searchStatement({ ...walk, readsAttempts }));
      counts.set(keyOf(walk), countStatement(walk));
    }
  }
}

const findStatements = ({ readsAttempts, ...walk }: Search) => ({
  searched: searches.get(`${keyOf(walk)} ${readsAttempts}`)!,
  counted: counts.get(keyOf(walk))!,
});
