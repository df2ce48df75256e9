import { lowestId, type AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import { isAdjustment } from '../ledger/ledger-row.ts';
import type { EventFilters } from './schemas.ts';
import { walkStatements, type WalkKind } from './search-events.sql.ts';

interface Found {
  /** Newest first. */
  ids: string[];
  /** The last event that was searched, when the search ended at its limit and there may be more. */
  stoppedAt?: string;
}

interface SearchOptions {
  /** The id of the event before the first one. */
  after: string | undefined;
  wanted: number;
}

const firstTime = new Date(0);
const endOfTime = new Date(Date.UTC(9999, 11, 31));

/** The ids of the newest `wanted` events that match, or fewer when few of the searched ones match. */
export async function searchEvents(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  filters: EventFilters,
  { after, wanted }: SearchOptions,
): Promise<Found> {
  const { kind, value, others } = walkOf(filters);
  const { search, last, time } = walkStatements[kind];
  const since = filters.from === undefined ? firstTime : new Date(filters.from);
  let before: readonly [Date, string] = [
    filters.to === undefined ? endOfTime : new Date(filters.to),
    lowestId,
  ];
  if (after !== undefined) {
    const [row] = await query(time, [accountId, after]);
    if (!row?.at) throw commonErrors.malformed_request();
    before = [row.at, after];
  }
  const walk = [accountId, value, since, ...before];
  const ids = (await query(search, [...walk, wanted, ...conditionsOf(others)])).map(({ id }) => id);
  if (ids.length === wanted || conditionsOf(others).every((condition) => condition === null)) return { ids };
  const [stopped] = await query(last, walk);
  return stopped ? { ids, stoppedAt: stopped.id } : { ids };
}

interface Walk {
  kind: WalkKind;
  value: string | null;
  /** The filters that the walk does not fulfil. */
  others: EventFilters;
}

/** The walk along the filter that probably leaves the fewest events. Most events are paid purchases. */
function walkOf(filters: EventFilters): Walk {
  const { email, interactionId, webinarId, state, type, source, attributed } = filters;
  const along = (kind: WalkKind, filter: keyof EventFilters, value: string | null): Walk => ({
    kind,
    value,
    others: { ...filters, [filter]: undefined },
  });
  if (email !== undefined) return along('email', 'email', email);
  const ofAdjustments = type !== undefined && isAdjustment(type);
  if (interactionId !== undefined)
    return along(ofAdjustments ? 'interactionAdjustments' : 'interaction', 'interactionId', interactionId);
  if (webinarId !== undefined)
    return along(ofAdjustments ? 'webinarAdjustments' : 'webinar', 'webinarId', webinarId);
  if (state !== undefined && state !== 'paid') return along('state', 'state', state);
  if (type !== undefined && type !== 'purchase') return along('otherType', 'type', type);
  if (attributed !== undefined) return along(attributed ? 'attributed' : 'unattributed', 'attributed', null);
  if (source !== undefined) return along('source', 'source', source);
  if (state !== undefined) return along('state', 'state', state);
  return { kind: 'all', value: null, others: filters };
}

/** The values of the conditions of a search, in the order of `search-events.sql.ts`. */
const conditionsOf = (filters: EventFilters): unknown[] => [
  filters.type ?? null,
  filters.source ?? null,
  filters.email ?? null,
  filters.state ?? null,
  filters.attributed ?? null,
  filters.webinarId ?? null,
  filters.interactionId ?? null,
];
