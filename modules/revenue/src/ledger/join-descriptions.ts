// Several descriptions of a purchase become one payment, or several payments that one invoice joins. The order in which the
// descriptions arrived does not matter.
import { createDisjointSets } from './disjoint-sets.ts';
import { purchaseKinds, type PurchaseKind, type RevenueFact } from './revenue-fact.ts';

/** The facts that one object of a provider gives about a purchase. */
export interface PurchaseDescription {
  provider: string;
  eventId: string;
  objectId: string;
  kind: PurchaseKind;
  /** Null for the kind `unknown`. */
  amountMinor: number | null;
  currency: string | null;
  /** The names of the payment itself. */
  ownKeys: readonly string[];
  /** The names of an invoice or a session, which several payments may have. */
  joinedKeys: readonly string[];
  /** Names that are none of the payment, such as that of its subscription. */
  sharedKeys: readonly string[];
  mayBeJoined: boolean;
  email: string | null;
  clickId: string | null;
  registrationId: string | null;
  occurredAt: Date;
}

export const descriptionOf = (fact: RevenueFact): PurchaseDescription => {
  const joined = new Set(fact.joinedKeys);
  return {
    provider: fact.provider,
    eventId: fact.eventId,
    objectId: fact.objectId,
    kind: fact.kind ?? 'charge',
    amountMinor: fact.amountMinor,
    currency: fact.currency,
    ownKeys: fact.paymentKeys.filter((key) => !joined.has(key)),
    joinedKeys: [...joined],
    sharedKeys: fact.sharedKeys ?? [],
    mayBeJoined: fact.mayBeJoined ?? false,
    email: fact.email,
    clickId: fact.clickId,
    registrationId: fact.registrationId,
    occurredAt: fact.occurredAt,
  };
};

/** One payment. A charge, a PaymentIntent or a part of an invoice describes it. Until one arrives, its invoice and its session do. */
export interface PaymentPart<Description extends PurchaseDescription = PurchaseDescription> {
  /** Its charge, its PaymentIntent, its part of an invoice. Without these: its invoice and its session. */
  own: Description[];
  /** The invoice and the session that describe it too, perhaps with other payments. */
  joining: Description[];
}

const isJoining = ({ kind }: PurchaseDescription): boolean =>
  kind === 'invoice' || kind === 'checkout_session' || kind === 'unknown';

/**
 * The payments of descriptions that have names in common. An invoice adds its amount only if no payment of it is known; then its
 * payments count, and it joins each of them.
 */
export function splitParts<Description extends PurchaseDescription>(
  descriptions: readonly Description[],
): PaymentPart<Description>[] {
  const names = createDisjointSets();
  for (const { objectId, ownKeys } of descriptions)
    for (const key of ownKeys) names.join(objectName(objectId), key);
  const money = descriptions.filter((description) => !isJoining(description));
  const parts = new Map<string, PaymentPart<Description>>();
  for (const description of money) {
    const name = names.find(objectName(description.objectId));
    const part = parts.get(name) ?? { own: [], joining: [] };
    part.own.push(description);
    parts.set(name, part);
  }
  const all = [...parts.values()];
  for (const joining of groupByNames(descriptions.filter(isJoining))) {
    const own = new Set(
      joining.flatMap(({ objectId, ownKeys }) => [objectName(objectId), ...ownKeys].map(names.find)),
    );
    const joined = new Set(joining.flatMap(({ joinedKeys }) => joinedKeys));
    const described = [...parts].filter(
      ([name, part]) =>
        own.has(name) || part.own.some(({ joinedKeys }) => joinedKeys.some((key) => joined.has(key))),
    );
    for (const [, part] of described) part.joining.push(...joining);
    if (described.length === 0) all.push({ own: joining, joining: [] });
  }
  return all;
}

/** Objects and names are different texts, also for an object that is named by its id. */
const objectName = (objectId: string): string => `object ${objectId}`;

function groupByNames<Description extends PurchaseDescription>(descriptions: readonly Description[]) {
  const sets = createDisjointSets();
  for (const { objectId, ownKeys, joinedKeys } of descriptions)
    for (const key of [...ownKeys, ...joinedKeys]) sets.join(objectName(objectId), key);
  return Map.groupBy(descriptions, ({ objectId }) => sets.find(objectName(objectId))).values();
}

/** The fields of a payment that its descriptions decide. */
export interface JoinedPurchase {
  amountMinor: number;
  currency: string;
  email: string | null;
  clickId: string | null;
  registrationId: string | null;
  occurredAt: Date;
  /** The first of its names in the order of UTF-16. */
  firstKey: string;
}

/**
 * The facts of a payment: amount and currency of the most reliable kind of object, the time of the earliest description, and each other
 * field from the earliest description that has it.
 */
export function joinDescriptions({ own, joining }: PaymentPart): JoinedPurchase {
  const sorted = [...own, ...joining].toSorted(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.eventId < b.eventId ? -1 : 1),
  );
  const first = (name: 'email' | 'clickId' | 'registrationId'): string | null =>
    sorted.find((description) => description[name] !== null)?.[name] ?? null;
  const { amountMinor, currency } = decidingOf(own);
  return {
    amountMinor: amountMinor!,
    currency: currency!,
    email: first('email'),
    clickId: first('clickId'),
    registrationId: first('registrationId'),
    occurredAt: sorted[0]!.occurredAt,
    firstKey: own
      .flatMap(({ objectId, ownKeys, joinedKeys }) => [
        objectId,
        ...ownKeys,
        ...(isJoining(own[0]!) ? joinedKeys : []),
      ])
      .reduce((a, b) => (b < a ? b : a)),
  };
}

/** The description that decides the amount: of the most reliable kind, and of this kind the latest. */
export const decidingOf = <Description extends PurchaseDescription>(
  own: readonly Description[],
): Description =>
  own
    .filter(({ amountMinor }) => amountMinor !== null)
    .toSorted(
      (a, b) =>
        purchaseKinds.indexOf(a.kind) - purchaseKinds.indexOf(b.kind) ||
        b.occurredAt.getTime() - a.occurredAt.getTime() ||
        (a.eventId < b.eventId ? 1 : -1),
    )[0]!;
