// Writes a group of the ledger: new events, the credits that changed, the sums of payments and the totals.
import { statement, type AccountWriter } from '@service/database';
import type { CreditedEvent } from '../credit.ts';
import {
  countedOf,
  isAdjustment,
  unpairedCredit,
  waitingCredit,
  type LedgerPayment,
  type LedgerRow,
  type Pair,
  type StoredCredit,
} from './ledger-row.ts';
import type { LedgerGroup } from './load-group.ts';
import { markPurchases } from './mark-purchases.ts';
import { sendTogether } from './send-together.ts';
import { addToSums, isOverRefunded, stateOfPayment } from './payment-state.ts';
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

const insertEvents = statement({
  name: 'revenue.insert_events',
  text: `
    insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
      occurred_at, received_at, payment_keys, reverses_object_id, click_id, registration_id,
      is_difference)
    select $1, e.* from jsonb_to_recordset($2::jsonb) as e (id uuid, provider text, event_id text, object_id text, type text,
      email text, amount_minor bigint, currency text, occurred_at timestamptz, received_at timestamptz, payment_keys text[],
      reverses_object_id text, click_id text, registration_id text, is_difference boolean)`,
});

async function writeEvents({ query, accountId }: Writer, rows: readonly LedgerRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    event_id: row.eventId,
    object_id: row.objectId,
    type: row.type,
    email: row.email,
    amount_minor: row.amountMinor,
    currency: row.currency,
    occurred_at: row.occurredAt,
    received_at: row.receivedAt,
    payment_keys: row.paymentKeys,
    reverses_object_id: row.reversesObjectId,
    click_id: row.clickId,
    registration_id: row.registrationId,
    is_difference: row.isDifference,
  }));
  await query(insertEvents, [accountId, JSON.stringify(columns)]);
}

const upsertPayments = statement({
  name: 'revenue.upsert_payments',
  text: `
    insert into revenue.payment (account_id, id, provider, email, currency, amount_minor, refunded_minor, charged_back_minor, state,
      over_refunded, occurred_at, first_key, click_id, registration_id, lead_id,
      joinable_until)
    select $1, e.* from jsonb_to_recordset($2::jsonb) as e (id uuid, provider text, email text, currency text, amount_minor bigint,
      refunded_minor bigint, charged_back_minor bigint, state text, over_refunded boolean, occurred_at timestamptz, first_key text,
      click_id text, registration_id text, lead_id uuid, joinable_until timestamptz)
    on conflict (account_id, id) do update set
      email = excluded.email, currency = excluded.currency, amount_minor = excluded.amount_minor, lead_id = excluded.lead_id,
      joinable_until = excluded.joinable_until,
      refunded_minor = excluded.refunded_minor, charged_back_minor = excluded.charged_back_minor,
      state = excluded.state, over_refunded = excluded.over_refunded, occurred_at = excluded.occurred_at,
      first_key = excluded.first_key, click_id = excluded.click_id, registration_id = excluded.registration_id`,
});

async function writePayments(
  { query, accountId }: Writer,
  payments: readonly LedgerPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const columns = payments.map((payment) => ({
    id: payment.id,
    provider: payment.provider,
    email: payment.email,
    currency: payment.currency,
    amount_minor: payment.amountMinor,
    refunded_minor: payment.refundedMinor,
    charged_back_minor: payment.chargedBackMinor,
    state: stateOfPayment(payment),
    over_refunded: isOverRefunded(payment),
    occurred_at: payment.occurredAt,
    first_key: payment.firstKey,
    click_id: payment.clickId,
    registration_id: payment.registrationId,
    lead_id: payment.leadId === payment.id ? null : payment.leadId,
    joinable_until: payment.joinableUntil,
  }));
  await query(upsertPayments, [accountId, JSON.stringify(columns)]);
}

// The touches that lost remain when the credit is not derived again.
const upsertCredits = statement({
  name: 'revenue.upsert_credits',
  text: `
    insert into revenue.credit as c (account_id, id, payment_id, pairing, buyer_email, webinar_id, session_id, registration_id,
      interaction_id, utm_source, level, matched_by, reason, touch_at, renewal_of, window_days, considered, credited_at, occurred_at,
      counted_minor)
    select $1, e.* from jsonb_to_recordset($2::jsonb) as e (id uuid, payment_id uuid, pairing text,
      buyer_email text, webinar_id uuid, session_id uuid, registration_id uuid, interaction_id uuid, utm_source text, level text, matched_by text, reason text,
      touch_at timestamptz, renewal_of uuid, window_days integer, considered jsonb, credited_at timestamptz, occurred_at timestamptz,
      counted_minor bigint)
    on conflict (account_id, id) do update set
      payment_id = excluded.payment_id, pairing = excluded.pairing, buyer_email = excluded.buyer_email, webinar_id = excluded.webinar_id,
      session_id = excluded.session_id, registration_id = excluded.registration_id, interaction_id = excluded.interaction_id,
      utm_source = excluded.utm_source, level = excluded.level, matched_by = excluded.matched_by, reason = excluded.reason,
      touch_at = excluded.touch_at, renewal_of = excluded.renewal_of, window_days = excluded.window_days, considered = coalesce(excluded.considered, c.considered),
      credited_at = excluded.credited_at, occurred_at = excluded.occurred_at, counted_minor = excluded.counted_minor`,
});

async function writeCredits({ query, accountId }: Writer, changes: readonly CreditChange[]): Promise<void> {
  if (changes.length === 0) return;
  const columns = changes.map(({ row, next, payment }) => ({
    id: row.id,
    payment_id: next.paymentId,
    pairing: next.pairing,
    buyer_email: next.buyerEmail,
    webinar_id: next.webinarId,
    session_id: next.sessionId,
    registration_id: next.registrationId,
    interaction_id: next.interactionId,
    utm_source: next.utmSource,
    level: next.level,
    matched_by: next.matchedBy,
    reason: next.reason,
    touch_at: next.touchAt,
    renewal_of: next.renewalOf,
    window_days: next.windowDays,
    considered: payment?.considered ?? null,
    credited_at: next.creditedAt,
    occurred_at: next.countedAt,
    counted_minor: next.countedMinor,
  }));
  await query(upsertCredits, [accountId, JSON.stringify(columns)]);
}
