// The names of payments, the later descriptions of purchases, and payments that turned out to be another one.
import { statement, type AccountWriter } from '@service/database';
import type { EventKeyKind } from './entities/event-key.ts';
import type { IdentifiedFacts } from './identify-facts.ts';
import { textKey } from './ledger-row.ts';
import { namesOf } from './load-group.ts';

type Writer = Pick<AccountWriter, 'query' | 'accountId' | 'now'>;

const insertKeys = statement({
  name: 'revenue.insert_event_keys',
  text: `
    insert into revenue.event_key (account_id, provider, key, revenue_event_id, kind)
    select $1, * from unnest($2::text[], $3::text[], $4::uuid[], $5::text[])
    on conflict do nothing`,
});

const insertRepeats = statement({
  name: 'revenue.insert_repeated_purchases',
  text: `
    insert into revenue.repeated_purchase (account_id, provider, event_id, payment_id, email, click_id, registration_id, occurred_at,
      received_at)
    select $1, e.*, $3 from jsonb_to_recordset($2::jsonb) as e (provider text, event_id text, payment_id uuid, email text,
      click_id text, registration_id text, occurred_at timestamptz)`,
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

const moveRepeats = statement({
  name: 'revenue.move_repeated_purchases',
  text: `
    update revenue.repeated_purchase r set payment_id = merged.remaining
    from unnest($2::uuid[], $3::uuid[]) as merged (ending, remaining)
    where r.account_id = $1 and r.payment_id = merged.ending`,
});

const deletePayments = statement({
  name: 'revenue.delete_merged_payments',
  text: `delete from revenue.payment where account_id = $1 and id = any($2::uuid[])`,
});

export async function writeNames(tx: Writer, identified: IdentifiedFacts): Promise<void> {
  await mergePayments(tx, identified.merged);
  await writeRepeats(tx, identified);
  const keys = uniqueKeys(identified);
  if (keys.length === 0) return;
  await tx.query(insertKeys, [
    tx.accountId,
    keys.map(({ provider }) => provider),
    keys.map(({ key }) => key),
    keys.map(({ id }) => id),
    keys.map(({ kind }) => kind),
  ]);
}

interface KeyRow {
  provider: string;
  key: string;
  id: string;
  kind: EventKeyKind;
}

/** A name that is both of the payment and shared is of the payment, in whichever order its descriptions have it. */
function uniqueKeys(identified: IdentifiedFacts): KeyRow[] {
  const rows = new Map<string, KeyRow>();
  const names = namesOf(identified).toSorted((a, b) => Number(a.isShared) - Number(b.isShared));
  const add = (row: KeyRow): void => {
    const name = textKey(row.provider, row.key, row.id);
    if (!rows.has(name)) rows.set(name, row);
  };
  for (const { provider, key, paymentId, isShared } of names)
    add({ provider, key, id: paymentId, kind: isShared ? 'shared' : 'payment' });
  for (const { id, fact } of identified.adjustments)
    for (const key of fact.paymentKeys) add({ provider: fact.provider, key, id, kind: 'adjustment' });
  return [...rows.values()];
}

async function writeRepeats(
  { query, accountId, now }: Writer,
  { purchases, repeats }: IdentifiedFacts,
): Promise<void> {
  const descriptions = [
    ...purchases.flatMap(({ id, repeats: later }) => later.map((fact) => ({ id, fact }))),
    ...[...repeats].flatMap(([id, facts]) => facts.map((fact) => ({ id, fact }))),
  ];
  if (descriptions.length === 0) return;
  const columns = descriptions.map(({ id, fact }) => ({
    provider: fact.provider,
    event_id: fact.eventId,
    payment_id: id,
    email: fact.email,
    click_id: fact.clickId,
    registration_id: fact.registrationId,
    occurred_at: fact.occurredAt,
  }));
  await query(insertRepeats, [accountId, JSON.stringify(columns), now]);
}

async function mergePayments(
  { query, accountId }: Writer,
  merged: ReadonlyMap<string, string>,
): Promise<void> {
  if (merged.size === 0) return;
  const values = [accountId, [...merged.keys()], [...merged.values()]];
  await query(moveKeys, values);
  await query(moveRepeats, values);
  await query(deletePayments, [accountId, [...merged.keys()]]);
}
