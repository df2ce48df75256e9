// Writes a group of the ledger: new events, the credits that changed, the sums of payments and the totals.
import { setPurchased } from '@service/attendees';
import { column, insertFromJson, setExcluded, statement } from '@service/database';
import type { AccountQueries, AccountWriter } from '@service/database';
import type { CreditedEvent } from '../credit.ts';
import { countedOf, isAdjustment, unpairedCredit, waitingCredit } from './ledger-row.ts';
import type { LedgerPayment, LedgerRow, Pair, StoredCredit } from './ledger-row.ts';
import type { LedgerGroup } from './load-group.ts';
import { addToSums, isOverRefunded, stateOfPayment } from './payment.ts';
import { createTotalChanges, writeTotals } from './totals.ts';
import { createReversedFinder } from './update-payments.ts';

type Writer = Pick<AccountWriter, 'query' | 'accountId' | 'now'>;

interface CreditChange {
  row: LedgerRow;
  next: StoredCredit;
  /** Set for purchases. */
  payment: LedgerPayment | undefined;
}

/**
 * Writes what differs from the database. `changed` are payments whose facts changed, `pairs` the payments of adjustments. Returns
 * the events that got a registration for the first time.
 */
export async function writeGroup(
  tx: Writer,
  group: LedgerGroup,
  { pairs, changed }: { pairs: ReadonlyMap<string, Pair>; changed: readonly LedgerPayment[] },
): Promise<CreditedEvent[]> {
  const totals = createTotalChanges();
  const written = new Set(changed);
  const changes: CreditChange[] = [];
  /** Payments with a purchase that had a registration before. */
  const creditedBefore = new Set<string | null>();
  const isReversed = createReversedFinder(group.rows.values());
  for (const row of group.rows.values()) {
    const pair = isAdjustment(row.type) ? pairs.get(row.id)! : ownPair(row, group);
    if (row.type === 'purchase' && row.stored?.creditedAt) creditedBefore.add(pair.paymentId);
    const payment = pair.paymentId === null ? undefined : group.payments.get(pair.paymentId)!;
    const isStanding = row.type === 'purchase' && !isReversed(row);
    const next = nextCredit(row, { pair, payment, isStanding, now: tx.now });
    for (const moved of moveSums(row, next, group)) written.add(moved);
    const isDerived = row.type === 'purchase' && payment?.considered !== undefined;
    if (row.stored && !isDerived && isSame(row.stored, next)) continue;
    if (row.stored) totals.count(row, row.stored, -1);
    totals.count(row, next);
    changes.push({ row, next, payment: row.type === 'purchase' ? payment : undefined });
  }
  const added = [...group.rows.values()].filter(({ stored }) => stored === null);
  await sendTogether([
    writeEvents(tx, added),
    writePayments(tx, [...written]),
    writeCredits(tx, changes),
    writeTotals(tx, totals.changes()),
  ]);
  await markPurchases(tx, changes.flatMap(buyersOf));
  return changes
    .filter((change) => isCreditedNow(change) && !isRepeatedPurchase(change, creditedBefore))
    .filter(({ row, next }) => next.countedMinor !== 0 && !isPublishedDifference(row, pairs, group))
    .map(({ row, next }) => toCreditedEvent(row, next, group));
}

const ownPair = (row: LedgerRow, { merged }: LedgerGroup): Pair => {
  const paymentId = row.paymentId ?? row.stored?.paymentId ?? row.id;
  return { paymentId: merged.get(paymentId) ?? paymentId, pairing: 'own', countedMinor: null };
};

interface NextCreditOptions {
  pair: Pair;
  payment: LedgerPayment | undefined;
  /** True for a purchase that nothing has taken back. */
  isStanding: boolean;
  now: Date;
}

function nextCredit(
  { stored, email, occurredAt }: LedgerRow,
  { pair, payment, isStanding, now }: NextCreditOptions,
): StoredCredit {
  const credit = payment?.credit ?? (pair.pairing === 'waiting' ? waitingCredit : unpairedCredit);
  return {
    ...credit,
    paymentId: pair.paymentId,
    pairing: pair.pairing,
    creditedAt: stored?.creditedAt ?? (credit.registrationId === null ? null : now),
    buyerEmail: email ?? payment?.email ?? null,
    // A purchase counts at the time of its payment, and one that was taken back at the time of its reversal.
    countedAt: isStanding ? payment!.occurredAt : occurredAt,
    countedMinor: pair.countedMinor,
  };
}

/** Moves an adjustment from its former payment to its new one. Returns the payments that changed. */
function moveSums(row: LedgerRow, next: Pair, { payments }: LedgerGroup): LedgerPayment[] {
  if (!isAdjustment(row.type)) return [];
  const { type, stored } = row;
  const countedMinor = countedOf(row, next);
  const formerMinor = stored ? countedOf(row, stored) : 0;
  const formerId = stored?.paymentId ?? null;
  if (formerId === next.paymentId && formerMinor === countedMinor) return [];
  const former = formerId === null ? undefined : payments.get(formerId);
  const payment = next.paymentId === null ? undefined : payments.get(next.paymentId);
  if (former) addToSums(former, { type, countedMinor: formerMinor }, -1);
  if (payment) addToSums(payment, { type, countedMinor });
  return [former, payment].filter((each) => each !== undefined);
}

const isSame = (stored: StoredCredit, next: StoredCredit): boolean =>
  (Object.keys(stored) as (keyof StoredCredit)[]).every(
    (name) => valueOf(stored[name]) === valueOf(next[name]),
  );

const valueOf = (value: StoredCredit[keyof StoredCredit]): string | number | null =>
  value instanceof Date ? value.getTime() : value;

/** The registrations that a purchase is credited to now or no longer. */
function buyersOf({ row, next }: CreditChange): string[] {
  const former = row.stored?.registrationId ?? null;
  if (row.type !== 'purchase' || former === next.registrationId) return [];
  return [former, next.registrationId].filter((id) => id !== null);
}

const isCreditedNow = ({ row, next }: CreditChange): boolean =>
  row.type !== 'purchase_reversal' && (row.stored?.creditedAt ?? null) === null && next.creditedAt !== null;

/** Two purchases that turned out to be one payment are one event. The one that was credited first was published. */
const isRepeatedPurchase = (
  { row, next: { paymentId } }: CreditChange,
  creditedBefore: ReadonlySet<string | null>,
): boolean => row.type === 'purchase' && (row.id !== paymentId || creditedBefore.has(paymentId));

/** A refund that was published before its own id was known. */
const isPublishedDifference = (
  { id }: LedgerRow,
  pairs: ReadonlyMap<string, Pair>,
  { rows }: LedgerGroup,
): boolean => Boolean(rows.get(pairs.get(id)?.differenceId ?? '')?.stored?.creditedAt);

/** A purchase is published with the amount that its payment has by now. */
function toCreditedEvent(row: LedgerRow, next: StoredCredit, { payments }: LedgerGroup): CreditedEvent {
  const payment = payments.get(next.paymentId!)!;
  const { amountMinor, currency, occurredAt } = row.type === 'purchase' ? payment : row;
  return {
    revenueEventId: row.id,
    paymentId: payment.id,
    type: row.type,
    amountMinor,
    currency,
    occurredAt,
    credit: next,
    postponedUntil: payment.joinableUntil,
  };
}

const eventTypes = {
  id: 'uuid',
  provider: 'text',
  eventId: 'text',
  objectId: 'text',
  type: 'text',
  email: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  occurredAt: 'timestamptz',
  receivedAt: 'timestamptz',
  paymentKeys: 'text[]',
  reversesObjectId: 'text',
  clickId: 'text',
  registrationId: 'text',
  isDifference: 'boolean',
};

const insertEvents = statement({
  name: 'revenue.insert_events',
  text: insertFromJson('revenue.revenue_event', eventTypes),
});

async function writeEvents({ query, accountId }: Writer, rows: readonly LedgerRow[]): Promise<void> {
  if (rows.length > 0) await query(insertEvents, [accountId, JSON.stringify(rows)]);
}

const changingTypes = {
  email: 'text',
  currency: 'text',
  amountMinor: 'bigint',
  refundedMinor: 'bigint',
  chargedBackMinor: 'bigint',
  state: 'text',
  overRefunded: 'boolean',
  occurredAt: 'timestamptz',
  firstKey: 'text',
  clickId: 'text',
  registrationId: 'text',
  leadId: 'uuid',
  joinableUntil: 'timestamptz',
};

const upsertPayments = statement({
  name: 'revenue.upsert_payments',
  text: `
    ${insertFromJson('revenue.payment', { id: 'uuid', provider: 'text', ...changingTypes })}
    on conflict (account_id, id) do update set ${setExcluded(Object.keys(changingTypes))}`,
});

async function writePayments(
  { query, accountId }: Writer,
  payments: readonly LedgerPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const rows = payments.map(({ credit: _credit, considered: _considered, ...payment }) => ({
    ...payment,
    state: stateOfPayment(payment),
    overRefunded: isOverRefunded(payment),
    leadId: payment.leadId === payment.id ? null : payment.leadId,
  }));
  await query(upsertPayments, [accountId, JSON.stringify(rows)]);
}

const creditTypes = {
  paymentId: 'uuid',
  pairing: 'text',
  buyerEmail: 'text',
  webinarId: 'uuid',
  sessionId: 'uuid',
  registrationId: 'uuid',
  interactionId: 'uuid',
  utmSource: 'text',
  level: 'text',
  matchedBy: 'text',
  reason: 'text',
  touchAt: 'timestamptz',
  renewalOf: 'uuid',
  windowDays: 'integer',
  creditedAt: 'timestamptz',
  occurredAt: 'timestamptz',
  countedMinor: 'bigint',
};

// The touches that lost remain when the credit is not derived again.
const upsertCredits = statement({
  name: 'revenue.upsert_credits',
  text: `
    ${insertFromJson('revenue.credit', { id: 'uuid', considered: 'jsonb', ...creditTypes })}
    on conflict (account_id, id) do update set ${setExcluded(Object.keys(creditTypes))},
      considered = coalesce(excluded.considered, stored.considered)`,
});

async function writeCredits({ query, accountId }: Writer, changes: readonly CreditChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ row, next: { countedAt, ...credit }, payment }) => ({
    ...credit,
    id: row.id,
    occurredAt: countedAt,
    considered: payment?.considered,
  }));
  await query(upsertCredits, [accountId, JSON.stringify(rows)]);
}

const findPurchases = statement({
  name: 'revenue.find_purchases_of_registrations',
  text: `
    select wanted.id, (
      select true from revenue.credit c
      where c.account_id = $1 and c.registration_id = wanted.id and c.pairing = 'own' limit 1) is true as purchased
    from unnest($2::uuid[]) as wanted (id)`,
  row: { id: column.id, purchased: column.boolean },
});

/** Sets `purchased` of registrations whose credits of purchases were added, replaced or removed. Call it after writing the credits. */
async function markPurchases(tx: AccountQueries, registrationIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(registrationIds)];
  if (ids.length === 0) return;
  const rows = await tx.query(findPurchases, [tx.accountId, ids]);
  await setPurchased(tx, new Map(rows.map(({ id, purchased }) => [id, purchased])));
}

/**
 * Waits for statements that were sent together, and returns their results. Postgres refuses the statements after one that fails; the
 * failure itself is thrown, and not until all have ended.
 */
export async function sendTogether<const Sent extends readonly Promise<unknown>[]>(
  sent: Sent,
): Promise<{ -readonly [Place in keyof Sent]: Awaited<Sent[Place]> }> {
  const results = await Promise.allSettled(sent);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw failures.find((error) => !isFollowUp(error)) ?? failures[0];
  return Promise.all(sent);
}

/** Class 25P02: the transaction has failed before. */
const isFollowUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02';
