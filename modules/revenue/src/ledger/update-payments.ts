import { createId, type AccountReader } from '@service/database';
import type { IdentifiedFacts } from './identify-facts.ts';
import { joinReports, type JoinedReports, type PurchaseReport } from './join-reports.ts';
import { rowOfFact, unpairedCredit, type LedgerPayment, type LedgerRow } from './ledger-row.ts';
import type { LedgerGroup } from './load-group.ts';
import { readRepeats } from './read-payments.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

/**
 * Adds the new payments to the group, joins those that are one, and gives each the facts of all its reports. Returns the payments
 * whose credit has to be derived.
 */
export async function updatePayments(
  reader: Reader,
  group: LedgerGroup,
  identified: IdentifiedFacts,
): Promise<LedgerPayment[]> {
  const changed: LedgerPayment[] = [];
  for (const { id, fact, repeats } of identified.purchases) {
    group.rows.set(id, rowOfFact(fact, { id, receivedAt: reader.now }));
    const payment = newPayment(id, [fact, ...repeats]);
    group.payments.set(id, payment);
    changed.push(payment);
  }
  const known = await loadReports(reader, group, identified);
  for (const [endingId, remainingId] of identified.merged) merge(group, endingId, remainingId);
  for (const id of new Set([...identified.repeats.keys(), ...identified.merged.values()])) {
    const payment = group.payments.get(id)!;
    const facts = identified.repeats.get(id) ?? [];
    const joined = joinReports([...known.get(id)!, ...facts]);
    payment.firstKey = smallest([payment.firstKey, ...facts.flatMap(namesOf)]);
    if (isDifferent(payment, joined)) changed.push(Object.assign(payment, joined));
  }
  return changed;
}

/** The reports that the ledger has of the repeated and merged payments, by the payment that remains. */
async function loadReports(
  reader: Reader,
  { rows }: LedgerGroup,
  { repeats, merged }: IdentifiedFacts,
): Promise<Map<string, PurchaseReport[]>> {
  const ids = [...new Set([...repeats.keys(), ...merged.keys(), ...merged.values()])];
  const remaining = (id: string): string => merged.get(id) ?? id;
  const reports = new Map<string, PurchaseReport[]>(ids.map((id) => [remaining(id), []]));
  for (const row of rows.values())
    if (row.type === 'purchase' && row.stored) reports.get(remaining(row.stored.paymentId!))?.push(row);
  for (const repeat of await readRepeats(reader, ids)) reports.get(remaining(repeat.paymentId))!.push(repeat);
  return reports;
}

const namesOf = ({ objectId, paymentKeys }: RevenueFact): string[] => [objectId, ...paymentKeys];

const smallest = (texts: readonly string[]): string => texts.reduce((a, b) => (b < a ? b : a));

function newPayment(id: string, reports: readonly RevenueFact[]): LedgerPayment {
  const { provider, currency, amountMinor } = reports[0]!;
  return {
    id,
    provider,
    currency,
    amountMinor,
    refundedMinor: 0,
    chargedBackMinor: 0,
    firstKey: smallest(reports.flatMap(namesOf)),
    ...joinReports(reports),
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

const isDifferent = (payment: LedgerPayment, joined: JoinedReports): boolean =>
  payment.email !== joined.email ||
  payment.clickId !== joined.clickId ||
  payment.registrationId !== joined.registrationId ||
  payment.occurredAt.getTime() !== joined.occurredAt.getTime();
