// One transaction records facts of one account. Every refund pairs again with the payments as they are now, so the result does not
// depend on the order in which facts arrive.
//
// Statements that do not need each other's result are sent together. The connection runs them in the order in which they are sent, so
// the first reads come after the lock. A purchase waits for seven answers instead of thirteen, and each of them waits for the thread.
import type { AccountWriter } from '@service/database';
import type { SettledPayment } from '../credit.ts';
import type { Attribution } from './attribution.ts';
import { findKnown } from './find-known.ts';
import { identifyFacts, type Recorded } from './identify-facts.ts';
import { giveCredit, type LedgerPayment } from './ledger-row.ts';
import { adjustmentsOf, loadNamed, loadPairing, type LedgerGroup } from './load-group.ts';
import { lockLedger } from './lock-ledger.ts';
import { buyerOf, pairAdjustments } from './pair-adjustments.ts';
import { factsMax, type RevenueFact } from './revenue-fact.ts';
import { findRenewals, inheritCredits } from './renewals.ts';
import { sendTogether } from './send-together.ts';
import { updatePayments } from './update-payments.ts';
import { writeGroup } from './write-group.ts';
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
  const found = await findRenewals(tx, group, { known, uncredited });
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
