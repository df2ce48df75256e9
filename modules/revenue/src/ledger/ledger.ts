// One transaction records facts of one account. Every refund pairs again with the payments as they are now, so the result does not
// depend on the order in which facts arrive.
//
// Statements that do not need each other's result are sent together. The connection runs them in the order in which they are sent, so
// the first reads come after the lock. A purchase waits for seven answers instead of thirteen, and each of them waits for the thread.
import { lockLimit, type AccountQueries, type AccountWriter } from '@service/database';
import type { Credit, CreditedEvent, PurchaseFacts, SettledPayment } from '../credit.ts';
import { findKnown, identifyFacts, type KnownFacts, type Recorded } from './identify-facts.ts';
import { giveCredit, type LedgerPayment } from './ledger-row.ts';
import { adjustmentsOf, loadNamed, loadPairing, type LedgerGroup } from './load-group.ts';
import { buyerOf, pairAdjustments } from './pair-adjustments.ts';
import { readPayments } from './read-payments.sql.ts';
import { readRowsOfPayments } from './read-rows.sql.ts';
import { findRenewals, inheritCredits, loadRenewals } from './renewals.ts';
import { factsMax, type RevenueFact } from './revenue-fact.ts';
import { updatePayments } from './update-payments.ts';
import { sendTogether, writeGroup } from './write-group.ts';
import { writeNames } from './write-names.ts';

/**
 * Records facts of one account, at most 500, in the transaction of the caller, and returns an answer for each, in their order. A
 * fact that repeats an event or a payment is not new. Locks the ledger of the account until the transaction ends.
 */
export async function recordFacts(
  tx: AccountWriter,
  facts: readonly RevenueFact[],
  attribution: Attribution,
): Promise<Recorded[]> {
  if (facts.length > factsMax) throw new RangeError(`At most ${factsMax} facts are recorded at once.`);
  const [, known] = await sendTogether([lockLedger(tx), findKnown(tx, facts)]);
  const identified = identifyFacts(facts, known);
  const { group, descriptions } = await loadNamed(tx, identified);
  const formerBuyers = [...group.payments.values()].flatMap((payment) => buyerOf(payment) ?? []);
  const joinable = [...group.payments.values()].some(({ joinableUntil }) => joinableUntil !== null)
    ? [...group.payments.keys()]
    : [];
  const { changed, uncredited, added } = updatePayments(tx, group, { identified, stored: descriptions });
  const found = await findDecidedRenewals(tx, group, { known, uncredited, attribution });
  const [owners] = await sendTogether([
    loadPairing(tx, group, formerBuyers),
    derive(tx, found.uncredited, attribution),
  ]);
  inheritCredits(found.renewals);
  const pairs = pairAdjustments({ adjustments: adjustmentsOf(group), payments: group.payments, owners });
  const [credited] = await sendTogether([
    writeGroup(tx, group, { pairs, changed }),
    writeNames(tx, group, { added, adjustments: identified.adjustments }),
  ]);
  if (joinable.length > 0) await attribution.settlePostponed(tx, settledPayments(group, joinable));
  if (credited.length > 0) await attribution.publishCredited(tx, credited);
  return identified.recorded;
}

interface Finding {
  known: KnownFacts;
  uncredited: readonly LedgerPayment[];
  attribution: Attribution;
}

/** Finds the renewals. Decisions of owners move from payments that were merged, and from those that became renewals. */
async function findDecidedRenewals(
  tx: AccountWriter,
  group: LedgerGroup,
  { known, uncredited, attribution }: Finding,
): ReturnType<typeof findRenewals> {
  const { rows, payments, merged } = group;
  const find = (decided: readonly string[]): ReturnType<typeof findRenewals> => {
    const derived = new Set([...uncredited, ...decided.map((id) => payments.get(id)!)]);
    return findRenewals(tx, group, { known, uncredited: [...derived] });
  };
  const decided = merged.size > 0 ? await attribution.moveDecisions(tx, merged) : [];
  const found = await find(decided);
  // A payment that was recorded before as a first payment may have a decision.
  const joined = [...found.renewals].filter(
    ([{ id, credit }]) => decided.includes(id) || (rows.get(id)?.stored && credit.renewalOf === null),
  );
  if (joined.length === 0) return found;
  const firstIds = joined.map(([{ id }, first]) => [id, first.id] as const);
  const moved = await attribution.moveDecisions(tx, new Map(firstIds));
  return moved.length === 0 ? found : find([...decided, ...moved]);
}

/** The payments of these ones that were joined or may still be. */
function settledPayments(
  { payments, merged, rows }: LedgerGroup,
  formerIds: readonly string[],
): SettledPayment[] {
  const byPayment = Map.groupBy(formerIds, (id) => merged.get(id) ?? id);
  return [...byPayment].map(([id, ids]) => ({
    id,
    formerIds: ids,
    creditedIds: ids.filter((each) => rows.get(each)?.stored?.creditedAt),
    postponedUntil: payments.get(id)!.joinableUntil,
  }));
}

async function derive(
  tx: AccountWriter,
  payments: readonly LedgerPayment[],
  attribution: Attribution,
): Promise<void> {
  if (payments.length === 0) return;
  const credits = await attribution.creditPurchases(tx, payments);
  for (const [index, payment] of payments.entries()) giveCredit(payment, credits[index]!);
}

export interface NewCredit {
  paymentId: string;
  credit: Credit;
}

/**
 * Replaces the credits of payments, of their renewals and of everything paired with them, and moves their totals. Leaves out payments
 * that do not exist any more, and renewals, which have the credit of their first payment. Returns the events that got a registration for the first time; they are not published here. Locks the ledger of
 * the account until the transaction ends: derive the credits after `lockLedger`, so that they belong to the payments as they are.
 */
export async function replaceCredits(
  tx: AccountWriter,
  credits: readonly NewCredit[],
): Promise<CreditedEvent[]> {
  await lockLedger(tx);
  const ids = credits.map(({ paymentId }) => paymentId);
  const [payments, rows] = await Promise.all([readPayments(tx, ids), readRowsOfPayments(tx, ids)]);
  const group: LedgerGroup = {
    rows: new Map(rows.map((row) => [row.id, row])),
    payments: new Map(payments.map((payment) => [payment.id, payment])),
    merged: new Map(),
    names: [],
  };
  for (const { paymentId, credit } of credits) {
    const payment = group.payments.get(paymentId);
    if (payment?.credit.renewalOf === null) giveCredit(payment, credit);
  }
  inheritCredits(await loadRenewals(tx, group, [...group.payments.keys()]));
  const pairs = new Map([...group.rows.values()].map(({ id, stored }) => [id, stored!]));
  return writeGroup(tx, group, { pairs, changed: [] });
}

/**
 * Locks the ledger of the account until the transaction ends, before anything of it is read. So each transaction sees all that the
 * former ones have written, two never wait for each other in a circle, and other accounts do not wait. A transaction may call it
 * several times.
 */
export const lockLedger = (tx: AccountQueries): Promise<void> => lockLimit(tx, 'revenue ledger');

/** Attribution as the ledger calls it, inside the transaction of its rows. */
export interface Attribution {
  /** A credit for each purchase, in their order. */
  creditPurchases(tx: AccountWriter, purchases: readonly PurchaseFacts[]): Promise<Credit[]>;
  /** Moves what owners decided about merged payments and new renewals to their payments. Returns the payments that got a decision. */
  moveDecisions(tx: AccountWriter, paymentIds: ReadonlyMap<string, string>): Promise<string[]>;
  /** Called when payments whose events may be postponed were described again. */
  settlePostponed(tx: AccountWriter, payments: readonly SettledPayment[]): Promise<void>;
  /** Called once for each event: when it gets a registration for the first time. */
  publishCredited(tx: AccountWriter, events: readonly CreditedEvent[]): Promise<void>;
}
