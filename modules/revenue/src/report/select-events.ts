// Reads events for output: rows of the ledger with their credits, payments and the names of what they are credited to.
import { findRegistrants } from '@service/attendees';
import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import { loadWebinars, nameInteractions } from '@service/webinars';
import type { z } from 'zod';
import type { CreditLevel, MatchKind, UnattributedReason } from '../credit.ts';
import type { Pairing } from '../ledger/entities/event-credit.ts';
import type { PaymentState } from '../ledger/entities/payment.ts';
import type { RevenueEventType } from '../ledger/revenue-fact.ts';
import { joinCredit } from '../ledger/stored-credit.sql.ts';
import type { RevenueEventOutput } from './schemas.ts';

const selectByIds = statement({
  name: 'revenue.select_events',
  text: `
    select e.id, e.type, e.provider, e.event_id, c.buyer_email as email, e.amount_minor,
      coalesce(c.counted_minor, e.amount_minor) as counted_minor, e.currency, c.occurred_at, e.received_at,
      c.payment_id, p.state, coalesce(p.over_refunded, false) as over_refunded, c.pairing, c.level, c.matched_by, c.reason,
      c.webinar_id, c.session_id, c.registration_id, c.interaction_id, c.utm_source, c.touch_at, c.renewal_of, c.window_days
    from unnest($2::uuid[]) as wanted (id)
    cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = wanted.id limit 1) e
    ${joinCredit('e.id')}
    left join lateral (select * from revenue.payment where account_id = $1 and id = c.payment_id limit 1) p on true`,
  row: {
    id: column.id,
    type: column.textOf<RevenueEventType>(),
    provider: column.text,
    event_id: column.text,
    email: nullable(column.text),
    amount_minor: column.digits,
    counted_minor: column.digits,
    currency: column.text,
    occurred_at: column.time,
    received_at: column.time,
    payment_id: nullable(column.id),
    state: nullable(column.textOf<PaymentState>()),
    over_refunded: column.boolean,
    pairing: column.textOf<Pairing>(),
    level: column.textOf<CreditLevel>(),
    matched_by: nullable(column.textOf<MatchKind>()),
    reason: nullable(column.textOf<UnattributedReason>()),
    webinar_id: nullable(column.id),
    session_id: nullable(column.id),
    registration_id: nullable(column.id),
    interaction_id: nullable(column.id),
    utm_source: nullable(column.text),
    touch_at: nullable(column.time),
    renewal_of: nullable(column.id),
    window_days: nullable(column.integer),
  },
});

export type EventRow = RowsOf<typeof selectByIds>;

/** In the order of the ids. Events that do not exist or belong to another account are left out. */
export async function selectEvents(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  ids: readonly string[],
): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  const rows = await query(selectByIds, [accountId, ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export interface Names {
  webinars: ReadonlyMap<string, string>;
  interactions: ReadonlyMap<string, string>;
  registrants: ReadonlyMap<string, string>;
}

export interface Named {
  webinarIds: readonly (string | null)[];
  interactionIds: readonly (string | null)[];
  registrationIds: readonly (string | null)[];
}

/** The names of webinars in any status, of interactions and of registered people. What does not exist has no name. */
export async function readNames(reader: AccountReader, named: Named): Promise<Names> {
  const { query, accountId } = reader;
  const [webinars, interactions, registrants] = await Promise.all([
    loadWebinars(
      query,
      distinct(named.webinarIds).map((id) => ({ accountId, id })),
    ),
    nameInteractions(reader, distinct(named.interactionIds)),
    findRegistrants(reader, distinct(named.registrationIds)),
  ]);
  return {
    webinars: new Map([...webinars.values()].map(({ id, title }) => [id, title])),
    interactions: new Map([...interactions.values()].map(({ id, internalName }) => [id, internalName])),
    registrants: new Map(registrants.map(({ id, name }) => [id, name])),
  };
}

export const readNamesOf = (reader: AccountReader, rows: readonly EventRow[]): Promise<Names> =>
  readNames(reader, {
    webinarIds: rows.map((row) => row.webinar_id),
    interactionIds: rows.map((row) => row.interaction_id),
    registrationIds: rows.map((row) => row.registration_id),
  });

const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== null)),
];

export const nameOf = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
  id === null ? null : (names.get(id) ?? null);

export const eventToOutput = (row: EventRow, names: Names): z.input<typeof RevenueEventOutput> => ({
  id: row.id,
  type: row.type,
  source: row.provider,
  sourceEventId: row.event_id,
  email: row.email,
  amountMinor: Number(row.amount_minor),
  countedMinor: Number(row.counted_minor),
  currency: row.currency,
  occurredAt: row.occurred_at.toISOString(),
  receivedAt: row.received_at.toISOString(),
  paymentId: row.payment_id,
  state: row.state,
  pairing: row.pairing,
  overRefunded: row.over_refunded,
  attributed: row.level !== 'unattributed',
  credit: {
    level: row.level,
    matchedBy: row.matched_by,
    reason: row.reason,
    webinarId: row.webinar_id,
    webinarTitle: nameOf(names.webinars, row.webinar_id),
    sessionId: row.session_id,
    registrationId: row.registration_id,
    registrantName: nameOf(names.registrants, row.registration_id),
    interactionId: row.interaction_id,
    interactionName: nameOf(names.interactions, row.interaction_id),
    utmSource: row.utm_source,
    touchAt: row.touch_at?.toISOString() ?? null,
    renewalOf: row.renewal_of,
    windowDays: row.window_days,
  },
});
