// The payments of new descriptions. What each description says is joined again with everything that is known of its payment, so the
// result is the same in every order of arrival. Rows of the ledger never change: a payment that gets another amount, and one that
// turns out to be another one, have compensating rows.
import { createId, type AccountReader } from '@service/database';
import type { DescriptionGroup, IdentifiedFacts, NewDescription } from './identify-facts.ts';
import { decidingOf, descriptionOf, joinDescriptions, splitParts } from './join-descriptions.ts';
import type { JoinedPurchase, PaymentPart, PurchaseDescription } from './join-descriptions.ts';
import { rowOfFact, textKey, unpairedCredit, type LedgerPayment, type LedgerRow } from './ledger-row.ts';
import type { LedgerGroup, PaymentName } from './load-group.ts';
import type { StoredDescription } from './read-payments.sql.ts';

type Reader = Pick<AccountReader, 'now'>;

/** `source` is set for a description that the call adds, `paymentId` for one that the ledger has. */
type Description = PurchaseDescription & { source?: NewDescription; paymentId?: string };

export interface AddedDescription {
  fact: NewDescription['fact'];
  paymentId: string;
}

export interface UpdatedPayments {
  changed: LedgerPayment[];
  /** Those of them that need another credit. */
  uncredited: LedgerPayment[];
  /** The new descriptions with their payments. */
  added: AddedDescription[];
}

/**
 * Adds the new payments to the group, joins those that are one, and gives each the facts of all its descriptions. Says in `identified`
 * which payment each purchase belongs to.
 */
export function updatePayments(
  { now }: Reader,
  group: LedgerGroup,
  { identified, stored }: { identified: IdentifiedFacts; stored: readonly StoredDescription[] },
): UpdatedPayments {
  const result: UpdatedPayments = { changed: [], uncredited: [], added: [] };
  const merged = new Map<string, string>();
  const names: PaymentName[] = [];
  const storedByLead = Map.groupBy(stored, ({ paymentId }) => group.payments.get(paymentId)?.leadId);
  for (const described of identified.groups) {
    const known = described.leadIds.flatMap((id) => storedByLead.get(id) ?? []);
    const parts = splitParts<Description>([...known, ...described.descriptions.map(toDescription)]);
    const claims = claimPayments(parts, group.payments);
    const payments = parts.map((part, index) => {
      const [remaining, ...ending] = remainingFirst(claims[index]!, part);
      if (!remaining) return addPayment(part);
      for (const each of ending) merge(group, each, { into: remaining, merged, now });
      return changePayment(part, remaining);
    });
    setLead(described, payments);
    describe(parts, payments);
  }
  for (const { place, of } of identified.repeatsInCall)
    identified.recorded[place] = { id: identified.recorded[of]!.id, isNew: false };
  group.merged = merged;
  group.names = names;
  return result;

  function addPayment(part: PaymentPart<Description>): LedgerPayment {
    const id = createId();
    const { fact, place } = decidingOf(part.own).source!;
    identified.recorded[place] = { id, isNew: true };
    group.rows.set(id, rowOfFact(fact, { id, receivedAt: now }));
    const payment: LedgerPayment = {
      id,
      provider: fact.provider,
      refundedMinor: 0,
      chargedBackMinor: 0,
      ...joinDescriptions(part),
      leadId: id,
      joinableUntil: mayBeJoined(part) ? new Date(now.getTime() + joinWaitMs) : null,
      credit: unpairedCredit,
    };
    group.payments.set(id, payment);
    result.changed.push(payment);
    result.uncredited.push(payment);
    return payment;
  }

  function changePayment(part: PaymentPart<Description>, payment: LedgerPayment): LedgerPayment {
    const joined = joinDescriptions(part);
    if (payment.amountMinor !== joined.amountMinor || payment.currency !== joined.currency)
      correct(group, payment, { joined, deciding: decidingOf(part.own), now });
    if (isDifferent(payment, joined)) result.uncredited.push(payment);
    Object.assign(payment, joined);
    if (!mayBeJoined(part)) payment.joinableUntil = null;
    result.changed.push(payment);
    return payment;
  }

  /** An invoice and its payments are found by each other. Ids sort by time, so the first payment remains the same. */
  function setLead({ leadIds }: DescriptionGroup, payments: readonly LedgerPayment[]): void {
    const ids = new Set(leadIds);
    const all = [...group.payments.values()].filter(({ leadId }) => ids.has(leadId));
    const lead = [...all, ...payments].reduce((a, b) => (b.id < a.id ? b : a)).id;
    for (const payment of new Set([...all, ...payments])) {
      if (payment.leadId !== lead && !result.changed.includes(payment)) result.changed.push(payment);
      payment.leadId = lead;
    }
  }

  /**
   * An invoice gives the names of its payments to each of them, those of unknown payments to the first, and that of its subscription
   * to all.
   */
  function describe(parts: readonly PaymentPart<Description>[], payments: readonly LedgerPayment[]): void {
    const owned = new Set(parts.flatMap(({ own }) => own.flatMap(({ ownKeys }) => ownKeys)));
    const seen = new Set<Description>();
    for (const [index, { own, joining }] of parts.entries()) {
      const { id } = payments[index]!;
      for (const description of own) add(description, id, description.ownKeys);
      for (const description of joining) {
        const isFirst = !seen.has(description);
        seen.add(description);
        if (isFirst)
          add(
            description,
            id,
            description.ownKeys.filter((key) => !owned.has(key)),
          );
      }
      for (const { provider, sharedKeys } of [...own, ...joining])
        for (const key of sharedKeys) names.push({ provider, key, paymentId: id, kind: 'shared' });
    }
  }

  function add({ source, joinedKeys }: Description, paymentId: string, ownKeys: readonly string[]): void {
    if (!source) return;
    const { fact, place } = source;
    const { provider } = fact;
    result.added.push({ fact, paymentId });
    identified.recorded[place] ??= { id: paymentId, isNew: false };
    for (const key of ownKeys) names.push({ provider, key, paymentId, kind: 'own' });
    for (const key of joinedKeys) names.push({ provider, key, paymentId, kind: 'joined' });
  }
}

/** Stripe sends the events of one payment within seconds. */
const joinWaitMs = 60_000;

const mayBeJoined = ({ own, joining }: PaymentPart): boolean =>
  [...own, ...joining].every((description) => description.mayBeJoined);

const toDescription = (source: NewDescription): Description => ({ ...descriptionOf(source.fact), source });

/** The payments of the ledger that each part is. A payment is one part: that of its own descriptions, else one that its invoice joins. */
function claimPayments(
  parts: readonly PaymentPart<Description>[],
  payments: ReadonlyMap<string, LedgerPayment>,
): LedgerPayment[][] {
  const claims = parts.map(() => new Set<string>());
  const claimed = new Set<string>();
  const claim = (index: number, id: string | undefined): void => {
    if (id === undefined || claimed.has(id)) return;
    claimed.add(id);
    claims[index]!.add(id);
  };
  for (const [index, { own }] of parts.entries()) for (const { paymentId } of own) claim(index, paymentId);
  // First the parts that an invoice names themselves, then those that are new, and then any.
  const isNamed = ({ own }: PaymentPart<Description>, { ownKeys }: Description): boolean =>
    own.some((each) => each.ownKeys.some((key) => ownKeys.includes(key)));
  const rules = [
    isNamed,
    ({ own }: PaymentPart<Description>) => own.every(({ source }) => source),
    () => true,
  ];
  for (const rule of rules)
    for (const [index, part] of parts.entries())
      for (const description of part.joining)
        if (rule(part, description)) claim(index, description.paymentId);
  return claims.map((ids) => [...ids].map((id) => payments.get(id)!));
}

/** The payment that needs no correction remains, else the one that was recorded first. Ids sort by time. */
function remainingFirst(
  claims: readonly LedgerPayment[],
  { own }: PaymentPart<Description>,
): LedgerPayment[] {
  const { amountMinor, currency } = decidingOf(own);
  const isRight = (payment: LedgerPayment): boolean =>
    payment.amountMinor === amountMinor && payment.currency === currency;
  return claims.toSorted((a, b) => Number(isRight(b)) - Number(isRight(a)) || (a.id < b.id ? -1 : 1));
}

interface Correction {
  joined: JoinedPurchase;
  deciding: Description;
  now: Date;
}

/** Takes the purchase of a payment back, and adds one with the right amount. */
function correct({ rows }: LedgerGroup, payment: LedgerPayment, { joined, deciding, now }: Correction): void {
  const purchase = standingPurchase(rows, payment.id);
  reverse(rows, purchase, { paymentId: payment.id, because: 'corrected', now });
  const id = createId();
  const { provider, objectId, ownKeys, joinedKeys } = deciding;
  const isTaken = [...rows.values()].some((row) => row.type === 'purchase' && row.objectId === objectId);
  rows.set(id, {
    ...purchase,
    id,
    provider,
    eventId: `corrected:${id}`,
    objectId: isTaken ? `${objectId}#${id}` : objectId,
    email: joined.email,
    amountMinor: joined.amountMinor,
    currency: joined.currency,
    occurredAt: joined.occurredAt,
    receivedAt: now,
    paymentKeys: [...ownKeys, ...joinedKeys],
    stored: null,
    paymentId: payment.id,
  });
}

interface Merge {
  into: LedgerPayment;
  merged: Map<string, string>;
  now: Date;
}

/**
 * Ends a payment that turned out to be another one. Its purchase remains in the ledger, and a new event takes it back. Both belong
 * to the payment that remains.
 */
function merge({ rows, payments }: LedgerGroup, ending: LedgerPayment, { into, merged, now }: Merge): void {
  reverse(rows, standingPurchase(rows, ending.id), { paymentId: into.id, because: 'merged', now });
  merged.set(ending.id, into.id);
  payments.delete(ending.id);
}

/** The purchase of a payment that nothing has taken back. */
function standingPurchase(rows: LedgerGroup['rows'], paymentId: string): LedgerRow {
  const isReversed = createReversedFinder(rows.values());
  return [...rows.values()].find(
    (row) =>
      row.type === 'purchase' &&
      (row.paymentId ?? row.stored?.paymentId ?? row.id) === paymentId &&
      !isReversed(row),
  )!;
}

/** Says of a purchase whether one of these rows takes it back. */
export function createReversedFinder(rows: Iterable<LedgerRow>): (purchase: LedgerRow) => boolean {
  const reversed = new Set<string>();
  for (const { type, provider, reversesObjectId } of rows)
    if (type === 'purchase_reversal') reversed.add(textKey(provider, reversesObjectId ?? ''));
  return ({ provider, objectId }) => reversed.has(textKey(provider, objectId));
}

function reverse(
  rows: LedgerGroup['rows'],
  purchase: LedgerRow,
  { paymentId, because, now }: { paymentId: string; because: 'merged' | 'corrected'; now: Date },
): void {
  const id = createId();
  rows.set(id, {
    ...purchase,
    id,
    eventId: `${because}:${id}`,
    type: 'purchase_reversal',
    amountMinor: -purchase.amountMinor,
    receivedAt: now,
    reversesObjectId: purchase.objectId,
    stored: null,
    paymentId,
  });
}

const isDifferent = (payment: LedgerPayment, joined: JoinedPurchase): boolean =>
  payment.email !== joined.email ||
  payment.clickId !== joined.clickId ||
  payment.registrationId !== joined.registrationId ||
  payment.occurredAt.getTime() !== joined.occurredAt.getTime();
