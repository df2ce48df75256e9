// One transaction records facts of one account. Every refund pairs again with the payments as they are now, so the result does not
// depend on the order in which facts arrive.
import type { AccountWriter } from '@service/database';
import type { Attribution } from './attribution.ts';
import { findKnown } from './find-known.ts';
import { identifyFacts, type Recorded } from './identify-facts.ts';
import { giveCredit, type LedgerPayment } from './ledger-row.ts';
import { adjustmentsOf, loadNamed, loadPairing } from './load-group.ts';
import { lockLedger } from './lock-ledger.ts';
import { buyerOf, pairAdjustments } from './pair-adjustments.ts';
import { factsMax, type RevenueFact } from './revenue-fact.ts';
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
  await lockLedger(tx);
  const identified = identifyFacts(facts, await findKnown(tx, facts));
  const group = await loadNamed(tx, identified);
  const formerBuyers = [...group.payments.values()].flatMap((payment) => buyerOf(payment) ?? []);
  const { changed, uncredited } = await updatePayments(tx, group, identified);
  await derive(tx, uncredited, attribution);
  const owners = await loadPairing(tx, group, { identified, formerBuyers });
  const pairs = pairAdjustments({ adjustments: adjustmentsOf(group), payments: group.payments, owners });
  await writeNames(tx, identified);
  const credited = await writeGroup(tx, group, { pairs, changed });
  if (credited.length > 0) await attribution.publishCredited(tx, credited);
  return identified.recorded;
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
