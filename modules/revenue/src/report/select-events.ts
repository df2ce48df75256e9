// Reads events for output: rows of the ledger with their credits, payments and the names of what they are credited to.
import { findRegistrants } from '@service/attendees';
import type { PaymentState, RevenueEventType } from '@service/catalogue';
import { column, nullable, selectList, statement } from '@service/database';
import type { AccountQueries, AccountReader, RowsOf } from '@service/database';
import { loadWebinars, nameInteractions } from '@service/webinars';
import type { z } from 'zod';
import type { ShownReason } from '../credit.ts';
import type { Pairing } from '../ledger/revenue-event.ts';
import { creditColumns, creditRow, joinCredit, takeCredit } from '../ledger/stored-credit.sql.ts';
import type { RevenueEventOutput } from './schemas.ts';

const event = {
  id: column.id,
  type: column.textOf<RevenueEventType>(),
  provider: column.text,
  eventId: column.text,
  email: nullable(column.text),
  amountMinor: column.digits,
  countedMinor: column.digits,
  currency: column.text,
  occurredAt: column.time,
  receivedAt: column.time,
  paymentId: nullable(column.id),
  state: nullable(column.textOf<PaymentState>()),
  overRefunded: column.boolean,
  pairing: column.textOf<Pairing>(),
};

const decision = {
  madeBy: nullable(column.text),
  madeAt: nullable(column.time),
  why: nullable(column.text),
  isTakenAway: column.boolean,
};

const others = {
  email: 'c.buyer_email',
  countedMinor: 'coalesce(c.counted_minor, e.amount_minor)',
  occurredAt: 'c.occurred_at',
  paymentId: 'c.payment_id',
  state: 'p.state',
  overRefunded: 'coalesce(p.over_refunded, false)',
  pairing: 'c.pairing',
};

const selectByIds = statement({
  name: 'revenue.select_events',
  text: `
    select ${selectList(event, { of: 'e', others })}, ${creditColumns}, d.made_by_name as "madeBy", d.made_at as "madeAt", d.why,
      d.payment_id is not null and d.touch is null as "isTakenAway"
    from unnest($2::uuid[]) as wanted (id)
    cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = wanted.id limit 1) e
    ${joinCredit('e.id')}
    left join lateral (select * from revenue.payment where account_id = $1 and id = c.payment_id limit 1) p on true
    left join lateral (
      select * from revenue.credit_decision
      where account_id = $1 and payment_id = coalesce(c.renewal_of, c.payment_id) limit 1) d on true`,
  row: { ...event, ...creditRow, ...decision },
});

export type EventRow = Omit<RowsOf<typeof selectByIds>, 'reason'> & { reason: ShownReason | null };

/** In the order of the ids. Events that do not exist or belong to another account are left out. */
export async function selectEvents(
  { query, accountId }: AccountQueries,
  ids: readonly string[],
): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  const rows = await query(selectByIds, [accountId, ids]);
  const byId = new Map<string, EventRow>(
    rows.map((row) => [row.id, row.isTakenAway ? { ...row, reason: 'taken_away' } : row]),
  );
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
    webinarIds: rows.map(({ webinarId }) => webinarId),
    interactionIds: rows.map(({ interactionId }) => interactionId),
    registrationIds: rows.map(({ registrationId }) => registrationId),
  });

const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== null)),
];

export const nameOf = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
  id === null ? null : (names.get(id) ?? null);

export function eventToOutput(row: EventRow, names: Names): z.input<typeof RevenueEventOutput> {
  const { credit, others: read } = takeCredit(row);
  const { provider, eventId, madeBy, madeAt, why, isTakenAway: _isTakenAway, ...shared } = read;
  return {
    ...shared,
    source: provider,
    sourceEventId: eventId,
    amountMinor: Number(read.amountMinor),
    countedMinor: Number(read.countedMinor),
    occurredAt: read.occurredAt.toISOString(),
    receivedAt: read.receivedAt.toISOString(),
    attributed: credit.level !== 'unattributed',
    credit: {
      ...credit,
      webinarTitle: nameOf(names.webinars, credit.webinarId),
      registrantName: nameOf(names.registrants, credit.registrationId),
      interactionName: nameOf(names.interactions, credit.interactionId),
      touchAt: credit.touchAt?.toISOString() ?? null,
      decision:
        madeBy === null || madeAt === null || why === null
          ? null
          : { madeBy, madeAt: madeAt.toISOString(), why },
    },
  };
}
