// Events whose id the ledger has with other content. The first content is kept, because a sender repeats an event that is refused.
import { column, nullable, statement, type AccountWriter, type RowsOf } from '@service/database';
import type { Issue } from '@service/errors';
import type { RevenueFact } from '../../ledger/revenue-fact.ts';

// Without a name and with a limit, so that the plan is right also while the ledger grows from nothing. Purchases are compared with
// their description: it has the content of later ones too.
const selectKept = statement({
  text: `
    select k.place::int, kept.* from unnest($2::text[], $3::text[], $4::text[]) with ordinality as k (provider, event_id, type, place)
    cross join lateral (
      select object_id, email, amount_minor, currency, occurred_at, click_id, registration_id, '{}' as payment_keys
      from revenue.purchase_description
      where k.type = 'purchase' and account_id = $1 and provider = k.provider and event_id = k.event_id
        and amount_minor is not null
      union all
      select object_id, email, amount_minor, currency, occurred_at, click_id, registration_id, payment_keys
      from revenue.revenue_event
      where k.type <> 'purchase' and account_id = $1 and provider || '' = k.provider and event_id = k.event_id
        and type || '' = k.type
      limit 1
    ) kept`,
  row: {
    place: column.integer,
    object_id: column.text,
    email: nullable(column.text),
    amount_minor: column.digits,
    currency: column.text,
    occurred_at: column.time,
    click_id: nullable(column.text),
    registration_id: nullable(column.text),
    payment_keys: column.texts,
  },
});

/** For each event that repeats an id with other content: the fields that differ. */
export type Conflicts = ReadonlyMap<RevenueFact, Issue[]>;

export async function findConflicts(
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  repeated: readonly RevenueFact[],
): Promise<Conflicts> {
  if (repeated.length === 0) return new Map();
  const rows = await query(selectKept, [
    accountId,
    repeated.map(({ provider }) => provider),
    repeated.map(({ eventId }) => eventId),
    repeated.map(({ type }) => type),
  ]);
  const differing = rows.map((row) => {
    const fact = repeated[row.place - 1]!;
    return [fact, differences(fact, row)] as const;
  });
  return new Map(differing.filter(([, issues]) => issues.length > 0));
}

/** In the words of the generic payload, the only one whose sender chooses the id. */
function differences(fact: RevenueFact, kept: RowsOf<typeof selectKept>): Issue[] {
  const isOriginal = (key: string): boolean => key !== fact.eventId;
  const fields: [path: string, now: string | null, kept: string | null][] = [
    ['object', fact.objectId, kept.object_id],
    ['email', fact.email, kept.email],
    ['amount_minor', String(fact.amountMinor), kept.amount_minor],
    ['currency', fact.currency, kept.currency],
    ['timestamp', fact.occurredAt.toISOString(), kept.occurred_at.toISOString()],
    ['click_id', fact.clickId, kept.click_id],
    ['registration_id', fact.registrationId, kept.registration_id],
  ];
  if (fact.type !== 'purchase')
    fields.push([
      'original_transaction_id',
      fact.paymentKeys.find(isOriginal) ?? null,
      kept.payment_keys.find(isOriginal) ?? null,
    ]);
  return fields
    .filter(([, now, before]) => now !== before)
    .map(([path, , before]) => ({ path, message: `The event that was kept has ${before ?? 'none'}.` }));
}
