// The names of payments, the later descriptions of purchases, and payments that turned out to be another one.
import { insertFromJson, rowsToColumns, statement, type AccountWriter } from '@service/database';
import type { IdentifiedFacts } from './identify-facts.ts';
import { descriptionOf } from './join-descriptions.ts';
import { textKey } from './ledger-row.ts';
import type { LedgerGroup, PaymentName } from './load-group.ts';
import type { EventKeyKind } from './payment.ts';
import type { AddedDescription } from './update-payments.ts';

type Writer = Pick<AccountWriter, 'query' | 'accountId' | 'now'>;

const insertKeys = statement({
  name: 'revenue.insert_event_keys',
  text: `
    insert into revenue.event_key (account_id, provider, key, revenue_event_id, kind)
    select $1, * from unnest($2::text[], $3::text[], $4::uuid[], $5::text[])
    on conflict do nothing`,
});

const insertDescriptions = statement({
  name: 'revenue.insert_purchase_descriptions',
  text: insertFromJson('revenue.purchase_description', {
    provider: 'text',
    eventId: 'text',
    paymentId: 'uuid',
    objectId: 'text',
    kind: 'text',
    amountMinor: 'bigint',
    currency: 'text',
    ownKeys: 'text[]',
    joinedKeys: 'text[]',
    sharedKeys: 'text[]',
    mayBeJoined: 'boolean',
    email: 'text',
    clickId: 'text',
    registrationId: 'text',
    occurredAt: 'timestamptz',
    receivedAt: 'timestamptz',
  }),
});

// $2 payments that end, $3 the payments that remain.
const moveKeys = statement({
  name: 'revenue.move_event_keys',
  text: `
    with moved as (
      delete from revenue.event_key k using unnest($2::uuid[], $3::uuid[]) as merged (ending, remaining)
      where k.account_id = $1 and k.revenue_event_id = merged.ending and k.kind <> 'adjustment'
      returning k.provider, k.key, merged.remaining, k.kind
    )
    insert into revenue.event_key (account_id, provider, key, revenue_event_id, kind)
    select distinct $1::uuid, provider, key, remaining, kind from moved on conflict do nothing`,
});

const moveDescriptions = statement({
  name: 'revenue.move_purchase_descriptions',
  text: `
    update revenue.purchase_description d set payment_id = merged.remaining
    from unnest($2::uuid[], $3::uuid[]) as merged (ending, remaining)
    where d.account_id = $1 and d.payment_id = merged.ending`,
});

// $2 providers, $3 names, $4 the payments that have them no longer.
const deleteOthers = statement({
  name: 'revenue.delete_other_event_keys',
  text: `
    delete from revenue.event_key k
    using unnest($2::text[], $3::text[], $4::uuid[]) as other (provider, key, id)
    where k.account_id = $1 and k.provider = other.provider and k.key = other.key and k.kind = 'payment'
      and k.revenue_event_id = other.id`,
});

const deletePayments = statement({
  name: 'revenue.delete_merged_payments',
  text: `delete from revenue.payment where account_id = $1 and id = any($2::uuid[])`,
});

interface NewNames {
  added: readonly AddedDescription[];
  adjustments: IdentifiedFacts['adjustments'];
}

export async function writeNames(
  tx: Writer,
  group: LedgerGroup,
  { added, adjustments }: NewNames,
): Promise<void> {
  await mergePayments(tx, group.merged);
  await writeDescriptions(tx, added);
  await deleteOtherOwners(tx, group);
  const keys = uniqueKeys(group.names, adjustments);
  if (keys.length > 0)
    await tx.query(insertKeys, [tx.accountId, ...rowsToColumns(keys, 'provider', 'key', 'id', 'kind')]);
}

interface KeyRow {
  provider: string;
  key: string;
  id: string;
  kind: EventKeyKind;
}

/** A name that is both of the payment and shared is of the payment, in whichever order its descriptions have it. */
function uniqueKeys(names: readonly PaymentName[], adjustments: IdentifiedFacts['adjustments']): KeyRow[] {
  const rows = new Map<string, KeyRow>();
  const sorted = names.toSorted((a, b) => Number(a.kind === 'shared') - Number(b.kind === 'shared'));
  const add = (row: KeyRow): void => {
    const name = textKey(row.provider, row.key, row.id);
    if (!rows.has(name)) rows.set(name, row);
  };
  for (const { provider, key, paymentId, kind } of sorted)
    add({ provider, key, id: paymentId, kind: kind === 'shared' ? 'shared' : 'payment' });
  for (const { id, fact } of adjustments)
    for (const key of fact.paymentKeys) add({ provider: fact.provider, key, id, kind: 'adjustment' });
  return [...rows.values()];
}

async function writeDescriptions(
  { query, accountId, now }: Writer,
  added: readonly AddedDescription[],
): Promise<void> {
  if (added.length === 0) return;
  const rows = added.map(({ fact, paymentId }) => ({ ...descriptionOf(fact), paymentId, receivedAt: now }));
  await query(insertDescriptions, [accountId, JSON.stringify(rows)]);
}

/** An invoice may have given the name of a payment to another one of its payments, until the payment itself arrived. */
async function deleteOtherOwners(
  { query, accountId }: Writer,
  { names, payments }: LedgerGroup,
): Promise<void> {
  const siblings = Map.groupBy(payments.values(), ({ leadId }) => leadId);
  const others = names.flatMap(({ provider, key, paymentId, kind }) =>
    kind === 'own'
      ? (siblings.get(payments.get(paymentId)!.leadId) ?? [])
          .filter(({ id }) => id !== paymentId)
          .map(({ id }) => ({ provider, key, id }))
      : [],
  );
  if (others.length === 0) return;
  await query(deleteOthers, [accountId, ...rowsToColumns(others, 'provider', 'key', 'id')]);
}

async function mergePayments(
  { query, accountId }: Writer,
  merged: ReadonlyMap<string, string>,
): Promise<void> {
  if (merged.size === 0) return;
  const values = [accountId, [...merged.keys()], [...merged.values()]];
  await query(moveKeys, values);
  await query(moveDescriptions, values);
  await query(deletePayments, [accountId, [...merged.keys()]]);
}
