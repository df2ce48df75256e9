import { column, nullable, statement, type AccountReader } from '@service/database';
import type { KnownFacts } from './identify-facts.ts';
import { textKey } from './ledger-row.ts';
import { readKeyOwners, readLeads } from './read-payments.sql.ts';
import type { RevenueFact } from './revenue-fact.ts';

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
export async function findKnown(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  facts: readonly RevenueFact[],
): Promise<KnownFacts> {
  const purchases = facts.filter(({ type }) => type === 'purchase');
  const keysOf = ({ provider, paymentKeys }: RevenueFact) => paymentKeys.map((key) => [provider, key]);
  const sharedOf = ({ provider, sharedKeys = [] }: RevenueFact) => sharedKeys.map((key) => [provider, key]);
  const keys = purchases.flatMap(keysOf);
  const [rows, leads, owners] = await Promise.all([
    reader.query(selectKnown, [
      reader.accountId,
      facts.map(({ provider }) => provider),
      facts.map(({ eventId }) => eventId),
      facts.map(({ type }) => type),
      facts.map(({ objectId }) => objectId),
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
