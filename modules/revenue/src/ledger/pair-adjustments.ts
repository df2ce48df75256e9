// The payment of each refund, chargeback and reversal, from the events alone: the order in which they arrived does not matter.
//
// 1. A reversal belongs to the payment of the refund or dispute that it takes back, and counts at most what that took. Until it has
//    arrived, the reversal waits and counts nothing.
// 2. Otherwise the first of its names that a purchase has decides.
// 3. Otherwise a refund or chargeback that names no payment goes to the newest purchase of the same provider, e-mail address and
//    currency that is not later and has enough left. They are given out in the order of their own times, after everything that a name
//    has paired.
// 4. What remains is unpaired, until a purchase arrives that changes this.
import { countedOf, reversedType, textKey } from './ledger-row.ts';
import type { LedgerPayment, LedgerRow, Pair } from './ledger-row.ts';
import type { KeyOwner } from './read-payments.sql.ts';

export interface PairingGroup {
  /** Every adjustment whose payment may change. */
  adjustments: readonly LedgerRow[];
  payments: ReadonlyMap<string, LedgerPayment>;
  /** The payments with a name, by provider and name. */
  owners: ReadonlyMap<string, readonly KeyOwner[]>;
}

const unpaired: Pair = { paymentId: null, pairing: 'unpaired', countedMinor: null };
const waiting: Pair = { paymentId: null, pairing: 'waiting', countedMinor: 0 };

/** The pair of each adjustment, by its id. */
export function pairAdjustments({ adjustments, payments, owners }: PairingGroup): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  const { targetOf, reversalsOf, differenceOf, refundOf } = matchReversals(adjustments);
  const left = leftBefore(adjustments, payments);
  const assign = (row: LedgerRow, pair: Omit<Pair, 'countedMinor'>): void => {
    const reversals = reversalsOf(row).map((each) => ({ each, countedMinor: cappedBy(row, each) }));
    // A difference counts nothing when the refund itself is known.
    const own = { each: row, countedMinor: refundOf(row) ? 0 : null };
    for (const { each, countedMinor } of [own, ...reversals]) {
      const difference = differenceOf(each);
      pairs.set(each.id, { ...pair, countedMinor, ...(difference && { differenceId: difference.id }) });
      if (pair.paymentId !== null)
        left.set(pair.paymentId, left.get(pair.paymentId)! + countedOf(each, { countedMinor }));
    }
  };
  const leading = adjustments.filter((row) => targetOf(row) === undefined);
  const unnamed: LedgerRow[] = [];
  const findByName = createNameFinder({ payments, owners });
  for (const row of leading) {
    if (reversedType(row.type) !== undefined) {
      pairs.set(row.id, waiting);
      continue;
    }
    const payment = findByName(row);
    if (payment) assign(row, { paymentId: payment.id, pairing: 'transaction' });
    else unnamed.push(row);
  }
  const candidatesOf = groupByBuyer(payments);
  for (const row of unnamed.toSorted(byTimeAndObject)) {
    const net = reversalsOf(row).reduce(
      (sum, each) => sum - (cappedBy(row, each) ?? each.amountMinor),
      -row.amountMinor,
    );
    const payment =
      row.email !== null && !namesPayment(row)
        ? candidatesOf(row).find(({ id, occurredAt }) => occurredAt <= row.occurredAt && left.get(id)! >= net)
        : undefined;
    assign(row, payment ? { paymentId: payment.id, pairing: 'inferred' } : unpaired);
  }
  return pairs;
}

function matchReversals(adjustments: readonly LedgerRow[]) {
  const targets = new Map(
    adjustments.map((row) => [textKey(row.provider, row.type, row.objectId), row] as const),
  );
  // A sum never has two currencies, so a reversal in another one than its refund waits.
  const ownTargetOf = ({ provider, type, reversesObjectId, currency }: LedgerRow): LedgerRow | undefined => {
    const target = reversedType(type);
    const found = target && targets.get(textKey(provider, target, reversesObjectId ?? ''));
    return found?.currency === currency ? found : undefined;
  };
  const differences = matchDifferences(adjustments.filter((row) => !ownTargetOf(row)));
  const refunds = new Map([...differences].map(([row, difference]) => [difference, row]));
  const targetOf = (row: LedgerRow): LedgerRow | undefined =>
    ownTargetOf(row) ?? (reversedType(row.type) === undefined ? undefined : differences.get(row));
  const reversals = Map.groupBy(adjustments, (row) => targetOf(row)?.id);
  return {
    targetOf,
    reversalsOf: (row: LedgerRow): LedgerRow[] => reversals.get(row.id) ?? [],
    /** The difference that reported the same refund. */
    differenceOf: (row: LedgerRow): LedgerRow | undefined =>
      reversedType(row.type) === undefined ? differences.get(row) : undefined,
    /** The refund with an id of its own that a difference reported. Undefined when only the failure of that refund has arrived. */
    refundOf: (row: LedgerRow): LedgerRow | undefined => {
      const refund = refunds.get(row);
      return refund && reversedType(refund.type) === undefined ? refund : undefined;
    },
  };
}

/**
 * The differences by the refund with an id, or by the failure of one, that they reported: of the same payment and amount. Each is one
 * refund, so both are matched in the order of their times.
 */
function matchDifferences(rows: readonly LedgerRow[]): Map<LedgerRow, LedgerRow> {
  const matched = new Map<LedgerRow, LedgerRow>();
  const sorted = rows.toSorted(byTimeAndObject);
  const differences = sorted.filter(({ isDifference }) => isDifference);
  if (differences.length === 0) return matched;
  const keysOf = ({ provider, paymentKeys, currency, amountMinor }: LedgerRow): string[] =>
    paymentKeys.map((key) => textKey(provider, key, currency, String(Math.abs(amountMinor))));
  const free = new Map<string, Set<LedgerRow>>();
  for (const difference of differences)
    for (const key of keysOf(difference)) free.set(key, (free.get(key) ?? new Set()).add(difference));
  const refunds = sorted.filter(
    ({ type, isDifference }) => !isDifference && (type === 'refund' || type === 'refund_reversal'),
  );
  for (const refund of refunds) {
    const [difference] = keysOf(refund).flatMap((key) => [...(free.get(key) ?? [])]);
    if (!difference) continue;
    matched.set(refund, difference);
    for (const key of keysOf(difference)) free.get(key)!.delete(difference);
  }
  return matched;
}

/** The part of a reversal that counts: what its refund or dispute took. Null for all of it. */
const cappedBy = (row: LedgerRow, { amountMinor }: LedgerRow): number | null =>
  amountMinor > -row.amountMinor ? 0 - row.amountMinor : null;

/** The amounts that the payments have left without these adjustments. */
function leftBefore(
  adjustments: readonly LedgerRow[],
  payments: ReadonlyMap<string, LedgerPayment>,
): Map<string, number> {
  const left = new Map(
    [...payments.values()].map(
      (payment) =>
        [payment.id, payment.amountMinor - payment.refundedMinor - payment.chargedBackMinor] as const,
    ),
  );
  for (const row of adjustments) {
    const paymentId = row.stored?.paymentId ?? '';
    const before = left.get(paymentId);
    if (before !== undefined) left.set(paymentId, before - countedOf(row, row.stored!));
  }
  return left;
}

/** Finds the payment of an adjustment by the first of its names that a payment has. Sorts the payments of a name once. */
export function createNameFinder({
  payments,
  owners,
}: Pick<PairingGroup, 'payments' | 'owners'>): (row: LedgerRow) => LedgerPayment | undefined {
  const namedBy = new Map<string, LedgerPayment[]>();
  // A sum never has two currencies, so only payments of one currency are candidates.
  const findNamed = (name: string, currency: string): LedgerPayment[] => {
    const found = owners.get(name) ?? [];
    const own = found.filter(({ isShared }) => !isShared);
    return (own.length > 0 ? own : found)
      .flatMap(({ paymentId }) => payments.get(paymentId) ?? [])
      .filter((payment) => payment.currency === currency)
      .toSorted(newestFirst);
  };
  return ({ provider, paymentKeys, currency, occurredAt }) => {
    for (const key of paymentKeys) {
      const name = textKey(provider, key);
      const place = textKey(name, currency);
      const named = namedBy.get(place) ?? findNamed(name, currency);
      namedBy.set(place, named);
      // Several purchases may have a shared name: the newest that is not later, or else the earliest.
      if (named.length > 0) return named.find((payment) => payment.occurredAt <= occurredAt) ?? named.at(-1);
    }
    return undefined;
  };
}

/**
 * True for an adjustment that names its payment. Such a payment may arrive later, so another one is never inferred. The id of the
 * adjustment itself, as its only name, is none: a refund may have the id of its order, and may as well have one of its own.
 */
export const namesPayment = ({ paymentKeys, eventId }: LedgerRow): boolean =>
  paymentKeys.length > 1 || paymentKeys.some((key) => key !== eventId);

/** The payments of each buyer, the newest first. */
function groupByBuyer(payments: ReadonlyMap<string, LedgerPayment>) {
  const groups = Map.groupBy([...payments.values()].toSorted(newestFirst), buyerOf);
  return (row: LedgerRow): LedgerPayment[] => groups.get(buyerOf(row)) ?? [];
}

/** Provider, e-mail address and currency as one text, or undefined without an e-mail address. */
export const buyerOf = ({
  provider,
  email,
  currency,
}: Pick<LedgerRow, 'provider' | 'email' | 'currency'>): string | undefined =>
  email === null ? undefined : textKey(provider, email, currency);

const newestFirst = (a: LedgerPayment, b: LedgerPayment): number =>
  b.occurredAt.getTime() - a.occurredAt.getTime() || (a.firstKey < b.firstKey ? 1 : -1);

const byTimeAndObject = (a: LedgerRow, b: LedgerRow): number =>
  a.occurredAt.getTime() - b.occurredAt.getTime() ||
  (textKey(a.objectId, a.type) < textKey(b.objectId, b.type) ? -1 : 1);
