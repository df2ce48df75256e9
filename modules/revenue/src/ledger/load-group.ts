// The part of the ledger that a transaction changes: the payments that its facts name, everything paired with them, and every
// refund that may pair otherwise because of them.
import type { AccountQueries, AccountReader } from '@service/database';
import type { IdentifiedFacts } from './identify-facts.ts';
import { isAdjustment, reversedType, rowOfFact, textKey } from './ledger-row.ts';
import type { LedgerPayment, LedgerRow } from './ledger-row.ts';
import { buyerOf, createNameFinder, namesPayment } from './pair-adjustments.ts';
import {
  readDescriptions,
  readGroups,
  readKeyOwners,
  readPayments,
  readPaymentsByEmails,
  type KeyOwner,
  type StoredDescription,
} from './read-payments.sql.ts';
import {
  readAdjustmentsByKeys,
  readInferred,
  readReversals,
  readRowsByObjects,
  readRowsOfGroups,
} from './read-rows.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

/** Records by id, as the transaction changes them. */
export interface LedgerGroup {
  rows: Map<string, LedgerRow>;
  payments: Map<string, LedgerPayment>;
  /** Payments that turned out to be another one: the payment that remains, by the one that ends. */
  merged: ReadonlyMap<string, string>;
  /** Names that the new descriptions give to their payments. */
  names: readonly PaymentName[];
}

export interface PaymentName {
  provider: string;
  key: string;
  paymentId: string;
  /** One payment has a name of its own. Several may have that of their invoice, or a shared one. */
  kind: 'own' | 'joined' | 'shared';
}

type Tuples = string[][];

/** Loads the payments of the groups that the facts describe, with their events and what the new names pair. Adds the new adjustments. */
export async function loadNamed(
  reader: Reader,
  { groups, adjustments }: IdentifiedFacts,
): Promise<{ group: LedgerGroup; descriptions: StoredDescription[] }> {
  const group: LedgerGroup = { rows: new Map(), payments: new Map(), merged: new Map(), names: [] };
  const leadIds = groups.flatMap((each) => each.leadIds);
  const named = [
    ...groups.flatMap(({ descriptions: added }) => added.map(({ fact }) => fact)),
    // Another refund of the payment may be the same one.
    ...adjustments.map(({ fact }) => fact).filter(({ isDifference }) => isDifference !== undefined),
  ];
  const [adjusting, paired, payments, descriptions] = await Promise.all([
    readAdjustmentsByKeys(reader, named.flatMap(namesOf)),
    readRowsOfGroups(reader, leadIds),
    readGroups(reader, leadIds),
    readDescriptions(reader, leadIds),
  ]);
  addRows(
    group,
    adjustments.map(({ id, fact }) => rowOfFact(fact, { id, receivedAt: reader.now })),
  );
  addRows(group, [...adjusting, ...paired]);
  for (const payment of payments) group.payments.set(payment.id, payment);
  return { group, descriptions };
}

const namesOf = ({ provider, paymentKeys, sharedKeys = [] }: RevenueFact): Tuples =>
  [...paymentKeys, ...sharedKeys].map((key) => [provider, key]);

/**
 * Adds everything that may pair otherwise, and the payments that it is compared with. Returns the payments by name. Call it when
 * the payments of the group have their new facts. `formerBuyers` are the buyers of these payments before.
 */
export async function loadPairing(
  reader: Reader,
  group: LedgerGroup,
  formerBuyers: readonly string[],
): Promise<Map<string, KeyOwner[]>> {
  addRows(group, await readRowsByObjects(reader, adjustmentsOf(group).flatMap(targetTuples)));
  addRows(group, await readReversals(reader, adjustmentsOf(group).flatMap(reversalTuples)));
  const named = adjustmentsOf(group);
  const owners = await loadOwners(reader, group);
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
    .filter((row) => !namesPayment(row) && !findByName(row))
    .flatMap(buyersOf);
  keepPayments(group, await readPaymentsByEmails(reader, tuplesOf(inferable)));
  return owners;
}

export const adjustmentsOf = ({ rows }: LedgerGroup): LedgerRow[] =>
  [...rows.values()].filter(({ type }) => isAdjustment(type));

/** The payments with the names of the group's adjustments. */
async function loadOwners(reader: Reader, group: LedgerGroup): Promise<Map<string, KeyOwner[]>> {
  const wanted = adjustmentsOf(group).flatMap(({ provider, paymentKeys }) =>
    paymentKeys.map((key) => [provider, key]),
  );
  const owners = await readKeyOwners(reader, wanted);
  if (wanted.length === 0) return owners;
  for (const found of owners.values())
    for (const owner of found) owner.paymentId = group.merged.get(owner.paymentId) ?? owner.paymentId;
  for (const { provider, key, paymentId, kind } of group.names) {
    const name = textKey(provider, key);
    const known = (owners.get(name) ?? []).filter(
      (owner) => kind !== 'own' || owner.isShared || !isSibling(group, owner.paymentId, paymentId),
    );
    owners.set(name, [...known, { paymentId, isShared: kind === 'shared' }]);
  }
  await addPayments(
    reader,
    group,
    [...owners.values()].flat().map(({ paymentId }) => paymentId),
  );
  return owners;
}

/** An invoice may have given the name of a payment to another one of its payments before. */
const isSibling = ({ payments }: LedgerGroup, one: string, other: string): boolean =>
  payments.get(one)?.leadId === payments.get(other)?.leadId;

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
  reader: AccountQueries,
  group: LedgerGroup,
  ids: readonly string[],
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !group.payments.has(id) && !group.merged.has(id));
  keepPayments(group, await readPayments(reader, missing));
}

/** Adds the other parts of the invoices of these payments, and returns all their parts. */
export async function addParts(
  reader: AccountQueries,
  group: LedgerGroup,
  payments: readonly LedgerPayment[],
): Promise<LedgerPayment[]> {
  const leadIds = new Set(payments.map(({ leadId }) => leadId));
  if (leadIds.size === 0) return [];
  keepPayments(group, await readGroups(reader, [...leadIds]));
  return [...group.payments.values()].filter(({ leadId }) => leadIds.has(leadId));
}

/** Adds payments that the group lacks. Those of the group may have changed already. */
function keepPayments({ payments, merged }: LedgerGroup, added: readonly LedgerPayment[]): void {
  for (const payment of added)
    if (!payments.has(payment.id) && !merged.has(payment.id)) payments.set(payment.id, payment);
}
