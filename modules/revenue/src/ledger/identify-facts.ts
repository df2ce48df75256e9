// Providers repeat messages, and describe one payment by several of them: Stripe sends checkout.session.completed,
// payment_intent.succeeded and charge.succeeded for the same money. Purchases with a common name are one payment. It can turn out
// late that two payments are one, when a description with the names of both arrives.
import { createId } from '@service/database';
import { createDisjointSets } from './disjoint-sets.ts';
import { isAdjustment, textKey } from './ledger-row.ts';
import type { KeyOwner } from './read-payments.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

export interface Recorded {
  /** The id of the revenue event, or of the one that the fact repeats. */
  id: string;
  isNew: boolean;
}

/** The events and payments that some facts repeat. */
export interface KnownFacts {
  /** The revenue event by provider and event id. */
  events: ReadonlyMap<string, string>;
  /** The payment of a purchase, or the revenue event of an adjustment, by provider, type and object id. */
  objects: ReadonlyMap<string, string>;
  /** The payment by provider and name. */
  keys: ReadonlyMap<string, string>;
  /** Everything that has a name, also one that several payments share, by provider and name. */
  owners: ReadonlyMap<string, readonly KeyOwner[]>;
}

export interface IdentifiedFacts {
  /** For each fact, in their order. */
  recorded: Recorded[];
  /** Purchases that the ledger lacks, with later descriptions of them in the same call. */
  purchases: { id: string; fact: RevenueFact; repeats: RevenueFact[] }[];
  /** New descriptions of payments that the ledger has, by payment. */
  repeats: Map<string, RevenueFact[]>;
  /** Payments that turned out to be another one: the payment that remains, by the one that ends. */
  merged: Map<string, string>;
  adjustments: { id: string; fact: RevenueFact }[];
}

export function identifyFacts(facts: readonly RevenueFact[], known: KnownFacts): IdentifiedFacts {
  const result: IdentifiedFacts = {
    recorded: Array.from<Recorded>({ length: facts.length }),
    purchases: [],
    repeats: new Map(),
    merged: new Map(),
    adjustments: [],
  };
  const { descriptions, repeatsInCall } = addAdjustments(result, facts, known);
  for (const group of groupDescriptions(descriptions, known)) addGroup(result, group);
  for (const { place, of } of repeatsInCall)
    result.recorded[place] = { id: result.recorded[of]!.id, isNew: false };
  return result;
}

/** Answers the facts that the ledger has and adds the new adjustments. Returns the purchases that remain. */
function addAdjustments(result: IdentifiedFacts, facts: readonly RevenueFact[], known: KnownFacts) {
  const events = new Map(known.events);
  const objects = new Map(known.objects);
  const descriptions: Description[] = [];
  const placeByEvent = new Map<string, number>();
  /** Purchases with the event id of an earlier one of this call, which is at the place `of`. */
  const repeatsInCall: { place: number; of: number }[] = [];
  for (const [place, fact] of facts.entries()) {
    const eventKey = textKey(fact.provider, fact.eventId);
    const objectKey = textKey(fact.provider, fact.type, fact.objectId);
    const knownId = events.get(eventKey) ?? (isAdjustment(fact.type) ? objects.get(objectKey) : undefined);
    const of = placeByEvent.get(eventKey);
    if (knownId !== undefined) result.recorded[place] = { id: knownId, isNew: false };
    else if (of !== undefined) repeatsInCall.push({ place, of });
    else if (isAdjustment(fact.type)) {
      const id = createId();
      events.set(eventKey, id);
      objects.set(objectKey, id);
      result.adjustments.push({ id, fact });
      result.recorded[place] = { id, isNew: true };
    } else {
      placeByEvent.set(eventKey, place);
      descriptions.push({ place, fact, objectKey });
    }
  }
  return { descriptions, repeatsInCall };
}

/** A purchase of the call that no event id identifies. */
interface Description {
  place: number;
  fact: RevenueFact;
  objectKey: string;
}

interface DescriptionGroup {
  /** The payments of the ledger that the descriptions name. */
  paymentIds: string[];
  descriptions: Description[];
}

/** Groups descriptions that share a name, directly or over other descriptions and payments. */
function groupDescriptions(descriptions: readonly Description[], known: KnownFacts): DescriptionGroup[] {
  const sets = createDisjointSets();
  const namesOf = ({ fact, objectKey }: Description): string[] => [
    `object ${objectKey}`,
    ...fact.paymentKeys.map((key) => `key ${textKey(fact.provider, key)}`),
  ];
  const paymentOf = ({ fact, objectKey }: Description): (string | undefined)[] => [
    known.objects.get(objectKey),
    ...fact.paymentKeys.map((key) => known.keys.get(textKey(fact.provider, key))),
  ];
  const paymentIds = new Set<string>();
  for (const description of descriptions) {
    const [first, ...others] = namesOf(description);
    for (const name of others) sets.join(first!, name);
    for (const id of paymentOf(description)) {
      if (id === undefined) continue;
      paymentIds.add(id);
      sets.join(first!, `payment ${id}`);
    }
  }
  const groups = new Map<string, DescriptionGroup>();
  for (const description of descriptions) {
    const root = sets.find(namesOf(description)[0]!);
    const group = groups.get(root) ?? { paymentIds: [], descriptions: [] };
    group.descriptions.push(description);
    groups.set(root, group);
  }
  for (const id of paymentIds) groups.get(sets.find(`payment ${id}`))?.paymentIds.push(id);
  return [...groups.values()];
}

function addGroup(result: IdentifiedFacts, { paymentIds, descriptions }: DescriptionGroup): void {
  // The first one that was recorded remains. Ids sort by time.
  const [remaining, ...ending] = paymentIds.toSorted();
  const facts = descriptions.map(({ fact }) => fact);
  const id = remaining ?? createId();
  if (remaining === undefined) result.purchases.push({ id, fact: facts[0]!, repeats: facts.slice(1) });
  else result.repeats.set(id, facts);
  for (const other of ending) result.merged.set(other, id);
  for (const [index, { place }] of descriptions.entries())
    result.recorded[place] = { id, isNew: remaining === undefined && index === 0 };
}
