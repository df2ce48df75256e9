// A payment that an invoice may still join is in the ledger at once, and its rules wait for the invoice, at most a minute. Otherwise the
// payment and its invoice, which only a third event shows to be one, would each fire. The events wait in a table, written in the
// transaction of the ledger, and workers publish those that are due.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { publishForRegistrations, type EventSubscriber } from '@service/attendees';
import { accountWriter, column, isFirstDue, nullable, rowsToColumns, statement } from '@service/database';
import type { AccountWriter, Database } from '@service/database';
import type { CreditedEvent, CreditLevel, MatchKind, SettledPayment } from '../credit.ts';
import { lockLedger } from '../ledger/ledger.ts';

/** An event that is credited and not published yet. */
export const PostponedEvent = defineEntity({
  name: 'PostponedRevenueEvent',
  tableName: 'postponed_event',
  schema: 'revenue',
  indexes: [
    { name: 'postponed_event_payment_index', properties: ['accountId', 'paymentId'] },
    { name: 'postponed_event_due_index', properties: ['dueAt'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    /** That of a purchase is the id of its payment. */
    revenueEventId: p.uuid().primary(),
    paymentId: p.uuid(),
    dueAt: p.datetime(3),
  },
});

/** Publishes events, and postpones those whose payment an invoice may still join. */
export async function publishCredited(
  tx: AccountWriter,
  credited: readonly CreditedEvent[],
  { subscriber }: { subscriber: EventSubscriber },
): Promise<void> {
  const isPostponed = ({ postponedUntil }: CreditedEvent): boolean =>
    postponedUntil !== null && postponedUntil > tx.now;
  await postponeEvents(
    tx,
    credited
      .filter((event) => isPostponed(event) && eventTypeOf[event.type])
      .map(({ revenueEventId, paymentId, postponedUntil }) => ({
        revenueEventId,
        paymentId,
        dueAt: postponedUntil!,
      })),
  );
  await publishNow(
    tx,
    credited.filter((event) => !isPostponed(event)),
    subscriber,
  );
}

const insertPostponed = statement({
  name: 'revenue.insert_postponed_events',
  text: `
    insert into revenue.postponed_event (account_id, revenue_event_id, payment_id, due_at)
    select $1, * from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) on conflict do nothing`,
});

interface Postponed {
  revenueEventId: string;
  paymentId: string;
  dueAt: Date;
}

async function postponeEvents(
  { query, accountId }: AccountWriter,
  postponed: readonly Postponed[],
): Promise<void> {
  if (postponed.length === 0) return;
  await query(insertPostponed, [
    accountId,
    ...rowsToColumns(postponed, 'revenueEventId', 'paymentId', 'dueAt'),
  ]);
}

const takePostponed = statement({
  name: 'revenue.take_postponed_events',
  text: `
    delete from revenue.postponed_event where account_id = $1 and payment_id = any($2::uuid[])
    returning revenue_event_id as "revenueEventId", payment_id as "paymentId", due_at as "dueAt"`,
  row: { revenueEventId: column.id, paymentId: column.id, dueAt: column.time },
});

/**
 * Publishes the postponed events of payments that nothing can join any more. Events of payments that turned out to be one are moved
 * to that payment: one of their purchases remains, and none if the payment was published before.
 */
export async function settlePostponed(
  tx: AccountWriter,
  payments: readonly SettledPayment[],
  subscriber: EventSubscriber,
): Promise<void> {
  const { query, accountId } = tx;
  const postponed = await query(takePostponed, [accountId, payments.flatMap(({ formerIds }) => formerIds)]);
  if (postponed.length === 0) return;
  const remaining = payments.flatMap(({ id, formerIds, creditedIds, postponedUntil }) => {
    const own = postponed.filter(({ paymentId }) => formerIds.includes(paymentId));
    const isPurchase = ({ revenueEventId, paymentId }: Postponed): boolean => revenueEventId === paymentId;
    const postponedIds = new Set(own.map(({ revenueEventId }) => revenueEventId));
    const wasPublished = creditedIds.some((each) => !postponedIds.has(each));
    const purchases = wasPublished ? [] : own.filter(isPurchase).slice(0, 1);
    return [
      ...purchases.map(({ dueAt }) => ({ revenueEventId: id, paymentId: id, dueAt, postponedUntil })),
      ...own.filter((each) => !isPurchase(each)).map((each) => ({ ...each, paymentId: id, postponedUntil })),
    ];
  });
  await postponeEvents(
    tx,
    remaining.filter(({ postponedUntil }) => postponedUntil !== null),
  );
  const settled = remaining.filter(({ postponedUntil }) => postponedUntil === null);
  await publishNow(tx, await readCredited(tx, settled), subscriber);
}

const selectCredited = statement({
  name: 'revenue.select_postponed_events',
  text: `
    select e.id as "revenueEventId", e.type, c.payment_id as "paymentId",
      case when e.type = 'purchase' then p.amount_minor else e.amount_minor end as "amountMinor",
      case when e.type = 'purchase' then p.currency else e.currency end as currency, c.occurred_at as "occurredAt", c.level,
      c.matched_by as "matchedBy", c.registration_id as "registrationId", c.interaction_id as "interactionId"
    from unnest($2::uuid[]) as wanted (id)
    cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = wanted.id limit 1) e
    cross join lateral (select * from revenue.credit where account_id = $1 and id = wanted.id limit 1) c
    cross join lateral (select * from revenue.payment where account_id = $1 and id = c.payment_id limit 1) p
    where c.registration_id is not null`,
  row: {
    revenueEventId: column.id,
    type: column.textOf<CreditedEvent['type']>(),
    paymentId: column.id,
    amountMinor: column.digits,
    currency: column.text,
    occurredAt: column.time,
    level: column.textOf<CreditLevel>(),
    matchedBy: nullable(column.textOf<MatchKind>()),
    registrationId: nullable(column.id),
    interactionId: nullable(column.id),
  },
});

/** The events as they are by now: a corrected amount is published as it was corrected. */
async function readCredited(
  { query, accountId }: AccountWriter,
  postponed: readonly Pick<Postponed, 'revenueEventId'>[],
): Promise<CreditedEvent[]> {
  if (postponed.length === 0) return [];
  const rows = await query(selectCredited, [accountId, ...rowsToColumns(postponed, 'revenueEventId')]);
  return rows.map(({ level, matchedBy, registrationId, interactionId, amountMinor, ...event }) => ({
    ...event,
    amountMinor: Number(amountMinor),
    credit: { level, matchedBy, registrationId, interactionId },
    postponedUntil: null,
  }));
}

const accountsMax = 100;
const batchMax = 250;

export const hasDueEvent = isFirstDue({ table: 'revenue.postponed_event', time: 'due_at' });

const selectDueAccounts = statement({
  name: 'revenue.select_accounts_with_postponed_events',
  text: `
    select account_id as "accountId" from (
      select account_id, due_at from revenue.postponed_event where due_at <= $1 order by due_at limit 5000
    ) due group by account_id order by min(due_at) limit ${accountsMax}`,
  allAccounts: 'Workers publish the postponed events of every account.',
  row: { accountId: column.id },
});

const takeDue = statement({
  name: 'revenue.take_due_postponed_events',
  text: `
    delete from revenue.postponed_event where account_id = $1 and revenue_event_id = any(array(
      select revenue_event_id from revenue.postponed_event where account_id = $1 and due_at <= $2 order by due_at limit ${batchMax}))
    returning revenue_event_id as "revenueEventId"`,
  row: { revenueEventId: column.id },
});

interface DueOptions {
  now: Date;
  subscriber: EventSubscriber;
  onFailure: (error: unknown) => void;
  signal: AbortSignal;
}

/** Publishes the due events of all accounts. Any number of workers may call it: each event is published by the one that deletes it. */
export async function publishDue(
  database: Pick<Database, 'query' | 'ofAccount'>,
  { now, subscriber, onFailure, signal }: DueOptions,
): Promise<void> {
  for (const { accountId } of await database.query(selectDueAccounts, [now])) {
    if (signal.aborted) return;
    try {
      await database.ofAccount(accountId).transaction(async (opened) => {
        const tx = accountWriter(opened, { accountId, now });
        await lockLedger(tx);
        const due = await tx.query(takeDue, [accountId, now]);
        await publishNow(tx, await readCredited(tx, due), subscriber);
      });
    } catch (error) {
      onFailure(error);
    }
  }
}

/** The attendee event of a row of the ledger. A reversal is none: no rule waits for it. */
const eventTypeOf = {
  purchase: 'purchase',
  refund: 'refund',
  chargeback: 'refund',
  refund_reversal: undefined,
  chargeback_reversal: undefined,
  purchase_reversal: undefined,
} as const satisfies Record<CreditedEvent['type'], string | undefined>;

/**
 * Publishes `purchase` and `refund` for revenue events that got a registration for the first time, in the order of their times, a
 * purchase first. Leaves out those with a credit by hand. The registrations are marked as purchased before (`markPurchases`), so that
 * conditions of rules see it.
 */
async function publishNow(
  tx: AccountWriter,
  credited: readonly CreditedEvent[],
  subscriber: EventSubscriber,
): Promise<void> {
  const events = credited.flatMap((event) => {
    const type = eventTypeOf[event.type];
    const { registrationId, matchedBy } = event.credit;
    // A credit by hand has no match. Its person may not be the one who paid, so no rule writes to them.
    if (!type || !registrationId || !matchedBy) return [];
    return [{ type, registrationId, occurredAt: event.occurredAt, data: dataOf(event) }];
  });
  if (events.length === 0) return;
  const inOrder = events.toSorted(
    (one, other) =>
      one.occurredAt.getTime() - other.occurredAt.getTime() || one.type.localeCompare(other.type),
  );
  await publishForRegistrations(tx, inOrder, subscriber);
}

const dataOf = ({ revenueEventId, type, amountMinor, currency, credit }: CreditedEvent) => ({
  revenueEventId,
  type,
  amountMinor,
  currency,
  ...(credit.interactionId && { offerId: credit.interactionId }),
  level: credit.level,
});
