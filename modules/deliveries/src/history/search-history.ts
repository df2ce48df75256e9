// Searches deliveries, newest first, in time windows that go back further and further. A statement costs planning time for every
// partition within its bounds, so older days are searched only when the newest ones do not suffice.
import { idAt, idTime, type AccountReader } from '@service/database';
import type { DeliveryStatus } from '../schemas.ts';
import { findStatements, searchedMax, type SearchedStatus, type WalkKind } from './search-history.sql.ts';

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

/** The values of the conditions of a search, in the order of `search-history.sql.ts`. */
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
