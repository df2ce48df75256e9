import { column, lowestId, nullable, statement } from '@service/database';
import type { AccountQueries, AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { isAdjustment } from '../ledger/ledger-row.ts';
import { resolveTimes, type TimeZoneReader } from './days.ts';
import type { EventFilters, ListRevenueEventsInput } from './schemas.ts';
import { eventToOutput, readNamesOf, selectEvents } from './select-events.ts';

/**
 * A page of the ledger, the latest events first. When few events match, a page may be short or empty and still have a next page.
 * A cursor is valid for one set of filters.
 */
export async function listEvents(
  reader: AccountReader,
  { limit, cursor, ...given }: z.output<typeof ListRevenueEventsInput>,
  readTimeZone: TimeZoneReader,
) {
  const filters = await resolveTimes(given, () => readTimeZone(reader));
  const scope = { list: 'revenue_events', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const { ids, stoppedAt } = await searchEvents(reader, filters, { after, wanted: limit + 1 });
  const rows = await selectEvents(reader, ids);
  const names = await readNamesOf(reader, rows.slice(0, limit));
  return toPage(rows, { limit, scope, stoppedAt, toItem: (row) => eventToOutput(row, names) });
}

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
  { query, accountId }: AccountQueries,
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

/** The values of the conditions of a search, in the order of `matches`. */
const conditionsOf = (filters: EventFilters): unknown[] => [
  filters.type ?? null,
  filters.source ?? null,
  filters.email ?? null,
  filters.state ?? null,
  filters.attributed ?? null,
  filters.webinarId ?? null,
  filters.interactionId ?? null,
];

// The statements of searches through the ledger. A walk reads rows of one index, newest first, up to a limit; a search keeps those
// that match the other filters. So a page costs the same with ten events and with ten million.

/** The most rows that are searched for one page. */
const searchedMax = 5000;

/** $2 is the value of the filter that the walk follows. Each walk has an index that begins with its condition. */
const walks = {
  email: { table: 'credit', condition: 'buyer_email = $2::text' },
  interaction: { table: 'credit', condition: 'interaction_id = $2::text::uuid' },
  webinar: { table: 'credit', condition: 'webinar_id = $2::text::uuid' },
  // Nearly all events of a webinar or an offer are purchases, so a page of its refunds would search through hundreds of them.
  interactionAdjustments: {
    table: 'credit',
    condition: `interaction_id = $2::text::uuid and pairing <> 'own'`,
  },
  webinarAdjustments: { table: 'credit', condition: `webinar_id = $2::text::uuid and pairing <> 'own'` },
  state: { table: 'payment', condition: 'state = $2::text' },
  // Purchases have no index by type: nearly all events are purchases.
  otherType: { table: 'revenue_event', condition: `type = $2::text and type <> 'purchase'` },
  unattributed: { table: 'credit', condition: `level = 'unattributed' and $2::text is null` },
  attributed: { table: 'credit', condition: `level <> 'unattributed' and $2::text is null` },
  source: { table: 'revenue_event', condition: 'provider = $2::text' },
  all: { table: 'credit', condition: '$2::text is null' },
} as const;

type WalkKind = keyof typeof walks;

// $1 account, $2 value, $3 since this time, $4 and $5 before this time and id. The limit is a constant, because for a parameter the
// planner expects a tenth of all rows and may not walk the index.
const walkText = ({ table, condition }: (typeof walks)[WalkKind]): string => `
  select id, occurred_at from revenue.${table}
  where account_id = $1 and ${condition} and occurred_at >= $3 and (occurred_at, id) < ($4, $5::uuid)
  order by occurred_at desc, id desc limit ${searchedMax}`;

/**
 * $7 type, $8 source, $9 e-mail, $10 state, $11 attributed, $12 webinar, $13 interaction; null for any. Each condition is a scalar
 * subquery, which is one look-up for each row. For `exists` the planner may read all rows of the account into a hash table.
 */
const matches = `
  (($7::text is null and $8::text is null) or (
    select ($7 is null or e.type = $7) and ($8 is null or e.provider = $8)
    from revenue.revenue_event e where e.account_id = $1 and e.id = walked.id))
  and ($10::text is null or (
    select p.state from revenue.payment p where p.account_id = $1 and p.id = walked.id) = $10)
  and (($9::text is null and $11::boolean is null and $12::uuid is null and $13::uuid is null) or (
    select ($9 is null or c.buyer_email is not distinct from $9)
      and ($11 is null or (c.level <> 'unattributed') = $11) and ($12 is null or c.webinar_id is not distinct from $12)
      and ($13 is null or c.interaction_id is not distinct from $13)
    from revenue.credit c where c.account_id = $1 and c.id = walked.id))`;

// Without names: a plan from the time when the ledger was empty would read and sort all of it.
const statementsOf = (kind: WalkKind) => ({
  /** $6 is how many are wanted. */
  search: statement({
    text: `
      select id from (${walkText(walks[kind])}) walked where ${matches}
      order by occurred_at desc, id desc limit $6`,
    row: { id: column.id },
  }),
  /** The row at the limit of the walk. No row when the walk reads everything. */
  last: statement({
    text: `select id from (${walkText(walks[kind])}) walked order by occurred_at desc, id desc limit 1 offset ${searchedMax - 1}`,
    row: { id: column.id },
  }),
  /** The time of a row in the order of the walk. */
  time: times[walks[kind].table],
});

// A purchase counts at the time of its payment, which may be seconds before that of its event.
const timeText = {
  revenue_event: 'e.occurred_at',
  credit: `(select c.occurred_at from revenue.credit c where c.account_id = e.account_id and c.id = e.id)`,
  payment: `coalesce((
    select p.occurred_at from revenue.payment p where p.account_id = e.account_id and p.id = e.id), e.occurred_at)`,
};

const timeOf = (table: keyof typeof timeText) =>
  statement({
    text: `select ${timeText[table]} as at from revenue.revenue_event e where e.account_id = $1 and e.id = $2`,
    row: { at: nullable(column.time) },
  });

const times = {
  revenue_event: timeOf('revenue_event'),
  credit: timeOf('credit'),
  payment: timeOf('payment'),
};

const kinds = Object.keys(walks) as WalkKind[];

const walkStatements = Object.fromEntries(kinds.map((kind) => [kind, statementsOf(kind)])) as Record<
  WalkKind,
  ReturnType<typeof statementsOf>
>;
