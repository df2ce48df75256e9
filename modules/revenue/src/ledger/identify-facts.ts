// Providers repeat messages, and describe one payment by several of them: Stripe sends checkout.session.completed,
// payment_intent.succeeded and charge.succeeded for the same money. Purchases with a common name are one payment. It can turn out
// late that two payments are one, when a description with the names of both arrives, or that one invoice was paid in several parts.
import { column, createId, nullable, rowsToColumns, statement, type AccountQueries } from '@service/database';
import { createDisjointSets } from './disjoint-sets.ts';
import { isAdjustment, textKey } from './ledger-row.ts';
import { readKeyOwners, readLeads, type KeyOwner } from './read-payments.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

export interface Recorded {
  /** The id of the revenue event, or of the one that the fact repeats. */
  id: string;
  isNew: boolean;
}

/** The events and payments that some facts repeat. */
export interface KnownFacts {
  /** The revenue event by provider, event id and type. */
  events: ReadonlyMap<string, string>;
  /** The first payment of a purchase, or the revenue event of an adjustment, by provider, type and object id. */
  objects: ReadonlyMap<string, string>;
  /** The first payment by provider and name. */
  keys: ReadonlyMap<string, string>;
  /** Everything that has a name, also one that several payments share, by provider and name. */
  owners: ReadonlyMap<string, readonly KeyOwner[]>;
}

/** A purchase of the call that no event id identifies. */
export interface NewDescription {
  place: number;
  fact: RevenueFact;
}

/** Descriptions that share a name, directly or over other descriptions and payments. */
export interface DescriptionGroup {
  /** The first payments of the groups in the ledger that the descriptions name. */
  leadIds: string[];
  descriptions: NewDescription[];
}

export interface IdentifiedFacts {
  /** For each fact, in their order. Those of purchases are set when their payments are known. */
  recorded: Recorded[];
  groups: DescriptionGroup[];
  /** Purchases with the event id of an earlier one of the call, which is at the place `of`. */
  repeatsInCall: { place: number; of: number }[];
  adjustments: { id: string; fact: RevenueFact }[];
}

/** Finds the facts that the ledger has, and groups the descriptions of purchases that may be of one payment. */
export function identifyFacts(facts: readonly RevenueFact[], known: KnownFacts): IdentifiedFacts {
  const events = new Map(known.events);
  const objects = new Map(known.objects);
  const recorded = Array.from<Recorded>({ length: facts.length });
  const adjustments: IdentifiedFacts['adjustments'] = [];
  const repeatsInCall: IdentifiedFacts['repeatsInCall'] = [];
  const descriptions: NewDescription[] = [];
  const placeByEvent = new Map<string, number>();
  for (const [place, fact] of facts.entries()) {
    const eventKey = textKey(fact.provider, fact.eventId, fact.type);
    const objectKey = objectKeyOf(fact);
    const knownId = events.get(eventKey) ?? (isAdjustment(fact.type) ? objects.get(objectKey) : undefined);
    const of = placeByEvent.get(eventKey);
    if (knownId !== undefined) recorded[place] = { id: knownId, isNew: false };
    else if (of !== undefined) repeatsInCall.push({ place, of });
    else if (isAdjustment(fact.type)) {
      const id = createId();
      events.set(eventKey, id);
      objects.set(objectKey, id);
      adjustments.push({ id, fact });
      recorded[place] = { id, isNew: true };
    } else {
      placeByEvent.set(eventKey, place);
      descriptions.push({ place, fact });
    }
  }
  return { recorded, adjustments, repeatsInCall, groups: groupDescriptions(descriptions, known) };
}

const objectKeyOf = ({ provider, type, objectId }: RevenueFact): string => textKey(provider, type, objectId);

function groupDescriptions(descriptions: readonly NewDescription[], known: KnownFacts): DescriptionGroup[] {
  const sets = createDisjointSets();
  const leadIds = new Set<string>();
  const nameOf = ({ fact }: NewDescription): string => `object ${objectKeyOf(fact)}`;
  for (const description of descriptions) {
    const { fact } = description;
    const keys = fact.paymentKeys.map((key) => textKey(fact.provider, key));
    for (const key of keys) sets.join(nameOf(description), `key ${key}`);
    for (const id of [known.objects.get(objectKeyOf(fact)), ...keys.map((key) => known.keys.get(key))]) {
      if (id === undefined) continue;
      leadIds.add(id);
      sets.join(nameOf(description), `payment ${id}`);
    }
  }
  const groups = new Map<string, DescriptionGroup>();
  for (const description of descriptions) {
    const root = sets.find(nameOf(description));
    const group = groups.get(root) ?? { leadIds: [], descriptions: [] };
    group.descriptions.push(description);
    groups.set(root, group);
  }
  for (const id of leadIds) groups.get(sets.find(`payment ${id}`))?.leadIds.push(id);
  return [...groups.values()];
}

// $2 providers, $3 event ids, $4 types, $5 object ids.
//
// Until its first analyze, Postgres takes every column for selective, and reads all events of a provider for each fact if an index
// begins with account and provider. So `|| ''` keeps the columns with few values out of the choice of the index. And statements
// of the ledger that search have no name: a plan that was made for an empty table would be kept.
const selectKnown = statement({
  text: `
    select wanted.place::int,
      (select id from revenue.revenue_event
       where account_id = $1 and event_id = wanted.event_id and provider || '' = wanted.provider
         and type || '' = wanted.type) as event_id,
      (select payment_id from revenue.purchase_description
       where account_id = $1 and event_id = wanted.event_id and provider = wanted.provider
         and wanted.type = 'purchase') as described_id,
      (select case when type <> 'purchase' then id
         else (select p.lead_id from revenue.credit c cross join lateral (
             select coalesce(lead_id, id) as lead_id from revenue.payment where account_id = $1 and id = c.payment_id limit 1
           ) p where c.account_id = $1 and c.id = e.id) end
       from revenue.revenue_event e
       where account_id = $1 and object_id = wanted.object_id and provider || '' = wanted.provider
         and type || '' = wanted.type) as object_id
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
      as wanted (provider, event_id, type, object_id, place)`,
  row: {
    place: column.integer,
    event_id: nullable(column.id),
    described_id: nullable(column.id),
    object_id: nullable(column.id),
  },
});

/** Finds the events and payments that the facts repeat. */
export async function findKnown(reader: AccountQueries, facts: readonly RevenueFact[]): Promise<KnownFacts> {
  const purchases = facts.filter(({ type }) => type === 'purchase');
  const keysOf = ({ provider, paymentKeys }: RevenueFact) => paymentKeys.map((key) => [provider, key]);
  const sharedOf = ({ provider, sharedKeys = [] }: RevenueFact) => sharedKeys.map((key) => [provider, key]);
  const keys = purchases.flatMap(keysOf);
  const [rows, leads, owners] = await Promise.all([
    reader.query(selectKnown, [
      reader.accountId,
      ...rowsToColumns(facts, 'provider', 'eventId', 'type', 'objectId'),
    ]),
    readLeads(reader, keys),
    readKeyOwners(reader, [...keys, ...purchases.flatMap(sharedOf)]),
  ]);
  const events = new Map<string, string>();
  const objects = new Map<string, string>();
  for (const { place, event_id, described_id, object_id } of rows) {
    const { provider, eventId, type, objectId } = facts[place - 1]!;
    const id = event_id ?? described_id;
    if (id !== null) events.set(textKey(provider, eventId, type), id);
    if (object_id !== null) objects.set(textKey(provider, type, objectId), object_id);
  }
  return { events, objects, keys: leads, owners };
}
