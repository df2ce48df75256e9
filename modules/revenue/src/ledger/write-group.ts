// Writes a group of the ledger: new events, the credits that changed, the sums of payments and the totals.
import { statement, type AccountWriter } from '@service/database';
import type { CreditedEvent } from '../credit.ts';
import {
  isAdjustment,
  unpairedCredit,
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
  for (const row of group.rows.values()) {
    const pair = isAdjustment(row.type) ? pairs.get(row.id)! : ownPair(row, group);
    if (row.type === 'purchase' && row.stored?.creditedAt) creditedBefore.add(pair.paymentId);
    const payment = pair.paymentId === null ? undefined : group.payments.get(pair.paymentId)!;
    const next = nextCredit(row, { pair, payment, now: tx.now });
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
    .flatMap(toCreditedEvent);
}

const ownPair = ({ id, stored, mergedInto }: LedgerRow, { merged }: LedgerGroup): Pair => {
  const paymentId = mergedInto ?? stored?.paymentId ?? id;
  return { paymentId: merged.get(paymentId) ?? paymentId, pairing: 'own' };
};

function nextCredit(
  { stored, email }: LedgerRow,
  { pair, payment, now }: { pair: Pair; payment: LedgerPayment | undefined; now: Date },
): StoredCredit {
  const credit = payment?.credit ?? unpairedCredit;
  return {
    ...credit,
    paymentId: pair.paymentId,
    pairing: pair.pairing,
    creditedAt: stored?.creditedAt ?? (credit.registrationId === null ? null : now),
    buyerEmail: email ?? payment?.email ?? null,
  };
}

/** Moves an adjustment from its former payment to its new one. Returns the payments that changed. */
function moveSums(row: LedgerRow, next: Pair, { payments }: LedgerGroup): LedgerPayment[] {
  const formerId = row.stored?.paymentId ?? null;
  if (!isAdjustment(row.type) || formerId === next.paymentId) return [];
  const former = formerId === null ? undefined : payments.get(formerId);
  const payment = next.paymentId === null ? undefined : payments.get(next.paymentId);
  if (former) addToSums(former, row, -1);
  if (payment) addToSums(payment, row);
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
  (row.stored?.creditedAt ?? null) === null && next.creditedAt !== null;

/** Two purchases that turned out to be one payment are one event. The one that was credited first was published. */
const isRepeatedPurchase = (
  { row, next: { paymentId } }: CreditChange,
  creditedBefore: ReadonlySet<string | null>,
): boolean => row.type === 'purchase' && (row.id !== paymentId || creditedBefore.has(paymentId));

function toCreditedEvent({ row, next }: CreditChange): CreditedEvent[] {
  const { type } = row;
  if (type === 'purchase_reversal') return [];
  const { amountMinor, currency, occurredAt } = row;
  return [{ revenueEventId: row.id, type, amountMinor, currency, occurredAt, credit: next }];
}

const insertEvents = statement({
  name: 'revenue.insert_events',
  text: `
    insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
      occurred_at, received_at, payment_keys, reverses_object_id, click_id, registration_id)
    select $1, e.* from jsonb_to_recordset($2::jsonb) as e (id uuid, provider text, event_id text, object_id text, type text,
      email text, amount_minor bigint, currency text, occurred_at timestamptz, received_at timestamptz, payment_keys text[],
      reverses_object_id text, click_id text, registration_id text)`,
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
  }));
  await query(insertEvents, [accountId, JSON.stringify(columns)]);
}

const upsertPayments = statement({
  name: 'revenue.upsert_payments',
  text: `
    insert into revenue.payment (account_id, id, provider, email, currency, amount_minor, refunded_minor, charged_back_minor, state,
      over_refunded, occurred_at, first_key, click_id, registration_id)
    select $1, e.* from jsonb_to_recordset($2::jsonb) as e (id uuid, provider text, email text, currency text, amount_minor bigint,
      refunded_minor bigint, charged_back_minor bigint, state text, over_refunded boolean, occurred_at timestamptz, first_key text,
      click_id text, registration_id text)
    on conflict (account_id, id) do update set
      email = excluded.email, refunded_minor = excluded.refunded_minor, charged_back_minor = excluded.charged_back_minor,
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
  }));
  await query(upsertPayments, [accountId, JSON.stringify(columns)]);
}

// The touches that lost remain when the credit is not derived again.
const upsertCredits = statement({
  name: 'revenue.upsert_credits',
  text: `
    insert into revenue.credit as c (account_id, id, payment_id, pairing, buyer_email, webinar_id, session_id, registration_id,
      interaction_id, utm_source, level, matched_by, reason, touch_at, renewal_of, window_days, considered, credited_at, occurred_at)
    select $1, e.* from jsonb_to_recordset($2::jsonb) as e (id uuid, payment_id uuid, pairing text,
      buyer_email text, webinar_id uuid, session_id uuid, registration_id uuid, interaction_id uuid, utm_source text, level text, matched_by text, reason text,
      touch_at timestamptz, renewal_of uuid, window_days integer, considered jsonb, credited_at timestamptz, occurred_at timestamptz)
    on conflict (account_id, id) do update set
      payment_id = excluded.payment_id, pairing = excluded.pairing, buyer_email = excluded.buyer_email, webinar_id = excluded.webinar_id,
      session_id = excluded.session_id, registration_id = excluded.registration_id, interaction_id = excluded.interaction_id,
      utm_source = excluded.utm_source, level = excluded.level, matched_by = excluded.matched_by, reason = excluded.reason,
      touch_at = excluded.touch_at, renewal_of = excluded.renewal_of, window_days = excluded.window_days, considered = coalesce(excluded.considered, c.considered),
      credited_at = excluded.credited_at`,
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
    occurred_at: row.occurredAt,
  }));
  await query(upsertCredits, [accountId, JSON.stringify(columns)]);
}
