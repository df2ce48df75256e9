// Payments of one subscription have a common name: Stripe's subscription, or the first transaction that a shop names. The earliest of
// them is the first payment, and the others are renewals, which have its credit, except other parts of its invoice. So the result does
// not depend on the order of arrival, and a renewal is credited long after the attribution window of the first payment.
import { column, statement, type AccountQueries } from '@service/database';
import { nothingConsidered } from '../credit.ts';
import { createDisjointSets } from './disjoint-sets.ts';
import type { KnownFacts } from './identify-facts.ts';
import { textKey, type LedgerPayment } from './ledger-row.ts';
import { addParts, addPayments, addRows, type LedgerGroup } from './load-group.ts';
import { readRowsOfPayments } from './read-rows.sql.ts';

/** Renewals of one first payment that get its new credit, the newest first. */
const renewalsMax = 1000;

const selectRenewals = statement({
  text: `
    select renewal.id, first.id as "firstId" from unnest($2::uuid[]) as first (id)
    cross join lateral (
      select id from revenue.credit
      where account_id = $1 and renewal_of = first.id and payment_id = id order by id desc limit ${renewalsMax}
    ) renewal`,
  row: { id: column.id, firstId: column.id },
});

/** The first payment of each renewal. */
type Renewals = ReadonlyMap<LedgerPayment, LedgerPayment>;

/**
 * Finds the subscriptions of the payments that the facts change, and adds their payments to the group. Call it when these payments have
 * their new facts. `uncredited` are those that need another credit. Returns the renewals, and the payments that need a credit of their
 * own.
 */
export async function findRenewals(
  reader: AccountQueries,
  group: LedgerGroup,
  { known, uncredited }: { known: KnownFacts; uncredited: readonly LedgerPayment[] },
): Promise<{ renewals: Renewals; uncredited: LedgerPayment[] }> {
  const { merged, payments, rows } = group;
  // The rows of a first payment that got a decision are not loaded yet.
  const changed = uncredited.map(({ id }) => id).filter((id) => rows.get(id)?.stored !== null);
  const links = findLinks(group, known);
  const ids = new Set([...links.flat(), ...merged.keys(), ...changed]);
  if (ids.size === 0) return { renewals: new Map(), uncredited: [...uncredited] };

  const sets = createDisjointSets();
  const remaining = (id: string): string => merged.get(id) ?? id;
  const join = (one: string, other: string): void => sets.join(remaining(one), remaining(other));
  for (const [one, other] of links) join(one, other);
  await addPayments(reader, group, [...ids]);
  for (const id of ids) {
    const firstId = (payments.get(id)?.credit ?? rows.get(id)?.stored)?.renewalOf ?? null;
    if (firstId === null) continue;
    join(id, firstId);
    ids.add(firstId);
  }
  await addPayments(reader, group, [...ids]);
  const pairUp = (): Renewals =>
    pairLater(
      [...ids].flatMap((id) => payments.get(remaining(id)) ?? []),
      ({ id }) => sets.find(id),
    );

  // Renewals of a first payment that keeps its place and its credit stay as they are, so they are not read.
  const found = pairUp();
  const moving = [...ids].filter(
    (id) => merged.has(id) || changed.includes(id) || found.has(payments.get(id)!),
  );
  for (const { id, firstId } of await selectRenewalsOf(reader, moving)) {
    join(id, firstId);
    ids.add(id);
  }
  // The other parts of a first invoice are no renewals of it, and become renewals together with it.
  const newRenewals = [...found.keys()].filter(({ credit }) => credit.renewalOf === null);
  for (const { id, leadId } of await addParts(reader, group, newRenewals)) {
    join(id, leadId);
    ids.add(id);
  }
  await addPayments(reader, group, [...ids]);
  // An invoice that is paid in parts is one payment of the subscription.
  const renewals = new Map([...pairUp()].filter(([later, first]) => later.leadId !== first.leadId));
  const former = [...ids].flatMap((id) => payments.get(remaining(id)) ?? []);
  const own = new Set([...uncredited, ...former.filter(({ credit }) => credit.renewalOf !== null)]);
  for (const renewal of renewals.keys()) own.delete(renewal);
  const moved = [...renewals].filter(
    ([{ credit }, first]) => credit.renewalOf !== first.id || own.has(first),
  );
  await addRowsOf(reader, group, [...own, ...moved.map(([renewal]) => renewal)]);
  return { renewals, uncredited: [...own] };
}

/** Gives renewals the credit of their first payment. */
export function inheritCredits(renewals: Renewals): void {
  for (const [renewal, first] of renewals) {
    // Only the first payment stores the touches that lost.
    if (renewal.credit.renewalOf === null) renewal.considered = nothingConsidered;
    renewal.credit = { ...first.credit, renewalOf: first.id };
  }
}

/** The renewals of payments whose credits are replaced. They and their events are added to the group. */
export async function loadRenewals(
  reader: AccountQueries,
  group: LedgerGroup,
  firstIds: readonly string[],
): Promise<Renewals> {
  const found = await selectRenewalsOf(reader, firstIds);
  await addPayments(
    reader,
    group,
    found.map(({ id }) => id),
  );
  const renewals = new Map(
    found.map(({ id, firstId }) => [group.payments.get(id)!, group.payments.get(firstId)!]),
  );
  await addRowsOf(reader, group, [...renewals.keys()]);
  return renewals;
}

const selectRenewalsOf = async ({ query, accountId }: AccountQueries, firstIds: readonly string[]) =>
  firstIds.length === 0 ? [] : query(selectRenewals, [accountId, firstIds]);

/** Pairs of payments with a common name that several payments may have. */
function findLinks({ names }: LedgerGroup, { owners }: KnownFacts): [string, string][] {
  const byName = new Map(owners);
  for (const { provider, key, paymentId, kind } of names) {
    const name = textKey(provider, key);
    byName.set(name, [...(byName.get(name) ?? []), { paymentId, isShared: kind === 'shared' }]);
  }
  return [...byName.values()].flatMap((sharing) => {
    const [one, ...others] = [...new Set(sharing.map(({ paymentId }) => paymentId))];
    const isShared = sharing.some((owner) => owner.isShared);
    return isShared ? others.map((other): [string, string] => [one!, other]) : [];
  });
}

/** The earliest payment of each subscription, by each of the others. */
function pairLater(
  payments: readonly LedgerPayment[],
  subscriptionOf: (payment: LedgerPayment) => string,
): Renewals {
  const later = new Map<LedgerPayment, LedgerPayment>();
  for (const own of Map.groupBy(new Set(payments), subscriptionOf).values()) {
    const [first, ...others] = own.toSorted(
      (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.firstKey < b.firstKey ? -1 : 1),
    );
    for (const other of others) later.set(other, first!);
  }
  return later;
}

/** Adds the events of payments that get another credit. */
async function addRowsOf(
  reader: AccountQueries,
  group: LedgerGroup,
  payments: readonly LedgerPayment[],
): Promise<void> {
  const ids = payments.map(({ id }) => id).filter((id) => !group.rows.has(id));
  addRows(group, await readRowsOfPayments(reader, ids));
}
