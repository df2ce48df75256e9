import { createId, type AccountReader } from '@service/database';
import type { IdentifiedFacts } from './identify-facts.ts';
import { joinDescriptions, type JoinedPurchase, type PurchaseDescription } from './join-descriptions.ts';
import { rowOfFact, unpairedCredit, type LedgerPayment, type LedgerRow } from './ledger-row.ts';
import type { LedgerGroup } from './load-group.ts';
import { readRepeats } from './read-payments.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

/**
 * Adds the new payments to the group, joins those that are one, and gives each the facts of all its descriptions. Of the payments that
 * it changes, `uncredited` need another credit.
 */
export async function updatePayments(
  reader: Reader,
  group: LedgerGroup,
  identified: IdentifiedFacts,
): Promise<{ changed: LedgerPayment[]; uncredited: LedgerPayment[] }> {
  const changed: LedgerPayment[] = [];
  const uncredited: LedgerPayment[] = [];
  for (const { id, fact, repeats } of identified.purchases) {
    group.rows.set(id, rowOfFact(fact, { id, receivedAt: reader.now }));
    const payment = newPayment(id, [fact, ...repeats]);
    group.payments.set(id, payment);
    changed.push(payment);
    uncredited.push(payment);
  }
  const known = await loadDescriptions(reader, group, identified);
  for (const [endingId, remainingId] of identified.merged) merge(group, endingId, remainingId);
  for (const id of new Set([...identified.repeats.keys(), ...identified.merged.values()])) {
    const payment = group.payments.get(id)!;
    const facts = identified.repeats.get(id) ?? [];
    const joined = joinDescriptions([...known.get(id)!, ...facts]);
    payment.firstKey = smallest([payment.firstKey, ...facts.flatMap(namesOf)]);
    changed.push(payment);
    if (isDifferent(payment, joined)) uncredited.push(Object.assign(payment, joined));
  }
  return { changed, uncredited };
}

/** The descriptions that the ledger has of the repeated and merged payments, by the payment that remains. */
async function loadDescriptions(
  reader: Reader,
  { rows }: LedgerGroup,
  { repeats, merged }: IdentifiedFacts,
): Promise<Map<string, PurchaseDescription[]>> {
  const ids = [...new Set([...repeats.keys(), ...merged.keys(), ...merged.values()])];
  const remaining = (id: string): string => merged.get(id) ?? id;
  const descriptions = new Map<string, PurchaseDescription[]>(ids.map((id) => [remaining(id), []]));
  for (const row of rows.values())
    if (row.type === 'purchase' && row.stored) descriptions.get(remaining(row.stored.paymentId!))?.push(row);
  for (const repeat of await readRepeats(reader, ids))
    descriptions.get(remaining(repeat.paymentId))!.push(repeat);
  return descriptions;
}

const namesOf = ({ objectId, paymentKeys }: RevenueFact): string[] => [objectId, ...paymentKeys];

const smallest = (texts: readonly string[]): string => texts.reduce((a, b) => (b < a ? b : a));

function newPayment(id: string, descriptions: readonly RevenueFact[]): LedgerPayment {
  const { provider, currency, amountMinor } = descriptions[0]!;
  return {
    id,
    provider,
    currency,
    amountMinor,
    refundedMinor: 0,
    chargedBackMinor: 0,
    firstKey: smallest(descriptions.flatMap(namesOf)),
    ...joinDescriptions(descriptions),
    credit: unpairedCredit,
  };
}

/**
 * Ends a payment that turned out to be another one. Its purchase remains in the ledger, and a new event takes it back. Both belong
 * to the payment that remains.
 */
function merge({ rows, payments }: LedgerGroup, endingId: string, remainingId: string): void {
  const ending = payments.get(endingId)!;
  const remaining = payments.get(remainingId)!;
  const purchase = rows.get(endingId)!;
  const id = createId();
  const reversal: LedgerRow = {
    ...purchase,
    id,
    eventId: `merged:${id}`,
    type: 'purchase_reversal',
    amountMinor: -purchase.amountMinor,
    reversesObjectId: purchase.objectId,
    stored: null,
    mergedInto: remainingId,
  };
  rows.set(id, reversal);
  remaining.firstKey = smallest([remaining.firstKey, ending.firstKey]);
  payments.delete(endingId);
}

const isDifferent = (payment: LedgerPayment, joined: JoinedPurchase): boolean =>
  payment.email !== joined.email ||
  payment.clickId !== joined.clickId ||
  payment.registrationId !== joined.registrationId ||
  payment.occurredAt.getTime() !== joined.occurredAt.getTime();
