// The part of the ledger that a transaction changes: the payments that its facts name, everything paired with them, and every
// refund that may pair otherwise because of them.
import type { AccountReader } from '@service/database';
import type { IdentifiedFacts } from './identify-facts.ts';
import {
  isAdjustment,
  reversedType,
  rowOfFact,
  textKey,
  type LedgerPayment,
  type LedgerRow,
} from './ledger-row.ts';
import { buyerOf, createNameFinder } from './pair-adjustments.ts';
import { readKeyOwners, readPayments, readPaymentsByEmails, type KeyOwner } from './read-payments.sql.ts';
import {
  readAdjustmentsByKeys,
  readInferred,
  readReversals,
  readRowsByObjects,
  readRowsOfPayments,
} from './read-rows.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

/** Records by id, as the transaction changes them. */
export interface LedgerGroup {
  rows: Map<string, LedgerRow>;
  payments: Map<string, LedgerPayment>;
  /** Payments that turned out to be another one: the payment that remains, by the one that ends. */
  merged: ReadonlyMap<string, string>;
}

type Tuples = string[][];

/** Loads the payments that the facts repeat or merge, with their events and what their new names pair. Adds the new adjustments. */
export async function loadNamed(reader: Reader, identified: IdentifiedFacts): Promise<LedgerGroup> {
  const { repeats, merged, adjustments } = identified;
  const group: LedgerGroup = { rows: new Map(), payments: new Map(), merged: new Map() };
  const paymentIds = [...new Set([...repeats.keys(), ...merged.keys(), ...merged.values()])];
  const names = namesOf(identified).map(({ provider, key }) => [provider, key]);
  const [named, paired, payments] = await Promise.all([
    readAdjustmentsByKeys(reader, names),
    readRowsOfPayments(reader, paymentIds),
    readPayments(reader, paymentIds),
  ]);
  addRows(
    group,
    adjustments.map(({ id, fact }) => rowOfFact(fact, { id, receivedAt: reader.now })),
  );
  addRows(group, [...named, ...paired]);
  for (const payment of payments) group.payments.set(payment.id, payment);
  group.merged = merged;
  return group;
}

/** The names that the purchases of these facts give to their payments. */
export function namesOf({ purchases, repeats }: Pick<IdentifiedFacts, 'purchases' | 'repeats'>) {
  const own = ({ provider, paymentKeys, sharedKeys = [] }: RevenueFact, paymentId: string) => [
    ...paymentKeys.map((key) => ({ provider, key, paymentId, isShared: false })),
    ...sharedKeys.map((key) => ({ provider, key, paymentId, isShared: true })),
  ];
  return [
    ...purchases.flatMap(({ id, fact, repeats: later }) => [fact, ...later].flatMap((each) => own(each, id))),
    ...[...repeats].flatMap(([id, later]) => later.flatMap((each) => own(each, id))),
  ];
}

/**
 * Adds everything that may pair otherwise, and the payments that it is compared with. Returns the payments by name. Call it when
 * the payments of the group have their new facts. `formerBuyers` are the buyers of these payments before.
 */
export async function loadPairing(
  reader: Reader,
  group: LedgerGroup,
  { identified, formerBuyers }: { identified: IdentifiedFacts; formerBuyers: readonly string[] },
): Promise<Map<string, KeyOwner[]>> {
  addRows(group, await readRowsByObjects(reader, adjustmentsOf(group).flatMap(targetTuples)));
  addRows(group, await readReversals(reader, adjustmentsOf(group).flatMap(reversalTuples)));
  const named = adjustmentsOf(group);
  const owners = await loadOwners(reader, group, identified);
  await addPayments(reader, group, pairedIds(named));

  const buyers = [...formerBuyers, ...[...group.payments.values(), ...named].flatMap(buyersOf)];
  const inferred = await readInferred(reader, tuplesOf(buyers));
  addRows(group, inferred);
  addRows(group, await readReversals(reader, inferred.flatMap(reversalTuples)));
  const all = adjustmentsOf(group);
  await addPayments(reader, group, pairedIds(all));
  const findByName = createNameFinder({ payments: group.payments, owners });
  const inferable = all
    .filter((row) => reversedType(row.type) === undefined)
    .filter((row) => !findByName(row))
    .flatMap(buyersOf);
  keepPayments(group, await readPaymentsByEmails(reader, tuplesOf(inferable)));
  return owners;
}

export const adjustmentsOf = ({ rows }: LedgerGroup): LedgerRow[] =>
  [...rows.values()].filter(({ type }) => isAdjustment(type));

/** The payments with the names of the group's adjustments. */
async function loadOwners(
  reader: Reader,
  group: LedgerGroup,
  identified: IdentifiedFacts,
): Promise<Map<string, KeyOwner[]>> {
  const wanted = adjustmentsOf(group).flatMap(({ provider, paymentKeys }) =>
    paymentKeys.map((key) => [provider, key]),
  );
  const owners = await readKeyOwners(reader, wanted);
  if (wanted.length === 0) return owners;
  for (const found of owners.values())
    for (const owner of found) owner.paymentId = group.merged.get(owner.paymentId) ?? owner.paymentId;
  for (const { provider, key, ...owner } of namesOf(identified)) {
    const name = textKey(provider, key);
    owners.set(name, [...(owners.get(name) ?? []), owner]);
  }
  await addPayments(
    reader,
    group,
    [...owners.values()].flat().map(({ paymentId }) => paymentId),
  );
  return owners;
}

/** The refund or dispute that a reversal takes back. */
const targetTuples = ({ provider, type, reversesObjectId }: LedgerRow): Tuples => {
  const target = reversedType(type);
  return target && reversesObjectId !== null ? [[provider, target, reversesObjectId]] : [];
};

/** The reversals that take back a refund or dispute. */
const reversalTuples = ({ provider, type, objectId }: LedgerRow): Tuples =>
  type === 'refund' || type === 'chargeback' ? [[provider, `${type}_reversal`, objectId]] : [];

const pairedIds = (rows: readonly LedgerRow[]): string[] =>
  rows.flatMap(({ stored }) => stored?.paymentId ?? []);

const buyersOf = (record: LedgerRow | LedgerPayment): string[] => {
  const buyer = buyerOf(record);
  return buyer === undefined ? [] : [buyer];
};

const tuplesOf = (buyers: readonly string[]): Tuples =>
  [...new Set(buyers)].map((buyer) => buyer.split(textKey('', '')));

export function addRows({ rows }: LedgerGroup, added: readonly LedgerRow[]): void {
  for (const row of added) if (!rows.has(row.id)) rows.set(row.id, row);
}

export async function addPayments(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  group: LedgerGroup,
  ids: readonly string[],
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !group.payments.has(id) && !group.merged.has(id));
  keepPayments(group, await readPayments(reader, missing));
}

/** Adds payments that the group lacks. Those of the group may have changed already. */
function keepPayments({ payments, merged }: LedgerGroup, added: readonly LedgerPayment[]): void {
  for (const payment of added)
    if (!payments.has(payment.id) && !merged.has(payment.id)) payments.set(payment.id, payment);
}
